"""Links from the page of a report to the pages of a site that `conformance site` built."""

from __future__ import annotations

from conformance.pages.addresses import AddressOf, check_address, site_root
from conformance.play.selection import every_property, is_stored


def addresses_on(url: str) -> AddressOf:
    """The addresses of checks on the site with this address; empty for a check that is not the suite's.

    Raises `ValueError` if this is not the address of a site.
    """
    root = site_root(url)
    laws = {law.name for law in every_property()}
    return lambda id: root + check_address(id) if id in laws or is_stored(id) else ""
