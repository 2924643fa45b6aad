"""A run as JUnit XML, with one test suite per chapter of the rules.

The format follows the Jenkins schema (`testsuites` → `testsuite` → `properties`, `testcase`), which GitLab,
Azure, CircleCI and GitHub actions read too. A wrong answer is a failure; no answer is an error. Unsupported,
disputed and listed checks are skipped, with the reason.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from conformance.model.printable import harmless
from conformance.report.run_text import lines_in_full
from conformance.results.causes import case_outcome
from conformance.results.events import FinishedCheck, Run


def junit(run: Run) -> str:
    """The run as a JUnit file."""
    root = ET.Element("testsuites", {"name": title(run), **totals(run.checked)})
    del root.attrib["skipped"]  # the schema allows it only in suites
    for chapter, checked in by_chapter(run.checked).items():
        suite = ET.SubElement(
            root,
            "testsuite",
            {
                "name": f"CR {chapter}" if chapter else "no rule",
                **totals(checked),
                "timestamp": run.began.at.removesuffix("+00:00"),
                "hostname": "localhost",
            },
        )
        add_properties(suite, run)
        for one in checked:
            add_case(suite, one, run)
    if run.ended and run.ended.says:
        add_error(root, "the engine", "starts", run.ended.says, "did not start")
    if run.ended is None or run.ended.cut_short in ("interrupted", "terminated"):
        add_error(root, "the run", "comes to its end", "only part of it was played", "cut off")
    for element in root.iter():
        make_harmless(element)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def make_harmless(element: ET.Element) -> None:
    """Escape the control characters of an element's texts: XML allows none of them."""
    element.text = element.text and harmless(element.text)
    for name, value in element.attrib.items():
        element.set(name, harmless(value))


def title(run: Run) -> str:
    """The name of the whole report."""
    engine = run.began.engine
    return f"Magic rules conformance of {engine.name} {engine.version}".strip()


def by_chapter(checked: Sequence[FinishedCheck]) -> dict[str, list[FinishedCheck]]:
    """The checks by chapter of their first rule, in the order of the rules."""
    chapters: dict[str, list[FinishedCheck]] = {}
    for one in checked:
        chapters.setdefault(next(iter(one.rules), "").partition(".")[0], []).append(one)
    return dict(sorted(chapters.items()))


def add_properties(suite: ET.Element, run: Run) -> None:
    """Add the engine and the edition to a suite."""
    properties = ET.SubElement(suite, "properties")
    said = {
        "engine": run.began.engine.name,
        "engine version": run.began.engine.version,
        "edition": run.began.edition,
        "suite version": run.began.suite,
    }
    for name, value in said.items():
        ET.SubElement(properties, "property", {"name": name, "value": value})


def add_case(suite: ET.Element, one: FinishedCheck, run: Run) -> None:
    """Add a check as a test case; its class is the rule, so that readers group by rule."""
    rule = next(iter(one.rules), "")
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": f"CR {rule}" if rule else "no rule",
            "name": f"{one.id} {one.name}",
            "time": seconds(one.seconds),
        },
    )
    outcome, message = case_outcome(one)
    if outcome == "passed":
        return
    found = ET.SubElement(case, outcome, {"message": message})
    if outcome != "skipped":
        found.set("type", str(one.verdict.__struct_config__.tag))
        engine = f"{run.began.engine.name}, {run.began.engine.version}"
        found.text = "\n".join(lines_in_full(one, engine, run.diagnosis_of(one.id)))
        stderr = getattr(one.verdict, "stderr", "")
        if stderr:
            ET.SubElement(case, "system-err").text = stderr


def add_error(root: ET.Element, suite: str, case: str, message: str, kind: str) -> None:
    """Add a suite with one error that is not a check: the engine did not start, or the run was cut off."""
    numbers = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0.000"}
    for total in ("tests", "errors"):
        root.set(total, str(int(root.get(total, "0")) + 1))
    inner = ET.SubElement(root, "testsuite", {"name": suite, **numbers})
    wrong = ET.SubElement(inner, "testcase", {"classname": suite, "name": case, "time": "0.000"})
    ET.SubElement(wrong, "error", {"message": message, "type": kind})


def totals(checked: Sequence[FinishedCheck]) -> dict[str, str]:
    """The totals of a suite: tests by outcome, and time."""
    outcomes = [case_outcome(one)[0] for one in checked]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
        "skipped": str(outcomes.count("skipped")),
        "time": seconds(sum(one.seconds for one in checked)),
    }


def seconds(number: float) -> str:
    """Seconds in the format that JUnit readers expect."""
    return f"{number:.3f}"
