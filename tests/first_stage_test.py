"""The first stage of the program beside the whole: the same answers, and what it says of commands that are not there.

Usage: first_stage_test.py FIRST_STAGE TAKT EXAMPLES
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FIRST, TAKT, EXAMPLES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])


def answer(program, *arguments):
    run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


class FirstStage(unittest.TestCase):
    def test_answers_as_the_whole(self):
        example = str(EXAMPLES / "example-a.json")
        for line in (
            ["evaluate", example],
            ["evaluate", example, "--model", "strict", "--json"],
            ["dot", example, "--model", "strict"],
            ["gantt", example, "--model", "strict", "--format", "csv"],
            ["evaluate", "no-such-file.json"],
            [],
            ["--help"],
        ):
            self.assertEqual(answer(FIRST, *line), answer(TAKT, *line), line)

    def test_checks_a_certificate(self):
        example = str(EXAMPLES / "example-a.json")
        with tempfile.TemporaryDirectory() as folder:
            certificate = f"{folder}/certificate.json"
            answer(FIRST, "evaluate", example, "--model", "strict", "--certificate", certificate)
            status, out, _ = answer(FIRST, "check", example, certificate)
            self.assertEqual((status, "692/3" in out), (0, True), out)

    def test_says_how_long_to_wait(self):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(FIRST, f"{folder}/takt")
            log = pathlib.Path(folder) / "rest.log"

            def words(text, *line):
                log.write_text(text)
                status, out, err = answer(program, *line)
                self.assertEqual((status, out), (75, ""))
                return err

            self.assertEqual(
                answer(program, "plan")[2],
                "takt: plan is not built yet: build it by scripts/setup program\n",
            )
            # Since 1970, so that the seconds of this test do not count.
            left = []
            for step in ("1/1", "11/20"):
                said = words(f"since 1\n[1/20] Building a\n[{step}] Building b\n", "cycle-ratio", "x.graph")
                begin = f"takt: cycle-ratio is not built yet: step {step.replace('/', ' of ')}, about "
                self.assertRegex(said, f"^{begin}[0-9]+ s to go")
                left.append(int(said.removeprefix(begin).split()[0]))
            self.assertAlmostEqual(left[1] / left[0], 10 / 11, 5)
            failed = words(f"since 1\n[3/20] Building a\nFAILED: a.o\n", "help", "map")
            self.assertEqual(failed, f"takt: map is not built yet: its build has failed: see {log}\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
