import { useState } from "react";
import type { FileProblem } from "../../src/protocol/hookView.ts";
import { formatString } from "../../src/protocol/strings.ts";
import { visibleText } from "../shared/visibleText.ts";
import { Icon } from "../ui/Icon.tsx";
import { LinkButton } from "../ui/LinkButton.tsx";
import type { HookRowActions } from "./HookRow.tsx";
import { texts } from "./texts.ts";

/** A file with thousands of bad entries must not bury its good hooks. */
const shownAtFirst = 5;

/** What is malformed in the files of a tab: where, what, and what to do. */
export function ProblemList(props: {
  problems: readonly FileProblem[];
  openFile: HookRowActions["openFile"];
}) {
  const [all, setAll] = useState(false);
  const { problems } = props;
  if (problems.length === 0) return null;
  const shown = all ? problems : problems.slice(0, shownAtFirst);
  return (
    <section className="problems" aria-label={texts.problemsLabel}>
      <ul>
        {shown.map((problem) => (
          <li
            key={JSON.stringify([problem.file, problem.line, problem.column, problem.reason])}
            className={`banner ${problem.severity}`}
          >
            <span className={`level-${problem.severity}`}>
              <Icon name={problem.severity} />
            </span>
            <div className="banner-text">
              <p className="data">
                <span className="screen-reader-only">
                  {problem.severity === "error" ? texts.error : texts.warning}:{" "}
                </span>
                {visibleText(problem.reason)}
              </p>
              <p className="secondary data">{visibleText(problem.advice)}</p>
              <p>
                <LinkButton
                  title={formatString(texts.openFileAt, visibleText(problem.file), problem.line)}
                  onClick={() => props.openFile(problem)}
                >
                  <bdi>
                    {formatString(
                      texts.problemAt,
                      visibleText(problem.fileLabel),
                      problem.line,
                      problem.column,
                    )}
                  </bdi>
                </LinkButton>
              </p>
            </div>
          </li>
        ))}
      </ul>
      {problems.length > shownAtFirst && (
        <LinkButton expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.showLess : `${texts.showAll} (${problems.length})`}
        </LinkButton>
      )}
    </section>
  );
}
