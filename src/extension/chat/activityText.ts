import type { TurnActivity } from "../../agent/agentOptions.ts";
import type { Localizer } from "../localizer.ts";
import { oneLine } from "../oneLine.ts";

/** What runs now, in one line for the user. */
export function activityText(activity: TurnActivity, l10n: Localizer): string {
  switch (activity.kind) {
    case "model":
      return l10n.t("Waiting for the model");
    case "retry":
      return l10n.t(
        "The model service does not answer; attempt {0} follows in {1} s ({2})",
        activity.attempt,
        Math.ceil(activity.waitMs / 1000),
        oneLine(activity.reason, 120),
      );
    case "tool":
      return activity.detail === undefined
        ? l10n.t("Running {0}", activity.toolName)
        : l10n.t("Running {0}: {1}", activity.toolName, oneLine(activity.detail, 120));
    case "hook":
      return l10n.t("Running the hooks of {0}", activity.event);
    case "permission":
      return l10n.t("Waiting for your permission for {0}", activity.toolName);
    case "compact":
      return l10n.t("Summarising the conversation");
  }
}
