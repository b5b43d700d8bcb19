import { viewerOf, visibleVideo } from "../access.ts";
import { toList, toResource } from "../answer.ts";
import { textAt } from "../body.ts";
import type { Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { badBody } from "../refusal.ts";

const kind = "youtube#videoAbuseReportReason";

interface Reason {
  readonly id: string;
  readonly label: string;
  /** One of them must be named with the reason. */
  readonly details: readonly (readonly [id: string, label: string])[];
}

const reasons: readonly Reason[] = [
  { id: "N", label: "Nudity or sexual content", details: [] },
  {
    id: "V",
    label: "Violence, hate or danger",
    details: [
      ["34", "Promotes violence or hatred"],
      ["35", "Promotes terrorism"],
      ["36", "Bullying or abuse of vulnerable people"],
      ["37", "Suicide or self-harm"],
      ["38", "Drug abuse or dangerous acts"],
    ],
  },
  {
    id: "S",
    label: "Spam or misleading",
    details: [
      ["27", "Advertising in bulk"],
      ["28", "Misleading thumbnail"],
      ["29", "Links to malware or phishing"],
      ["30", "Sale of medicines"],
      ["31", "Other misleading details"],
    ],
  },
  { id: "C", label: "Harms children", details: [] },
];

const parts = {
  snippet: ({ label, details }: Reason) => ({
    label,
    ...(details.length > 0 && {
      secondaryReasons: details.map(([id, text]) => ({ id, label: text })),
    }),
  }),
};

export const abuseReports = {
  "videoAbuseReportReasons.list": (call) => {
    readLanguage(call);
    const items = reasons.map((reason) =>
      toResource(call, { kind, id: reason.id, thing: reason, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
  "videos.reportAbuse": (call) => {
    const { body, world } = call;
    const reason = reasons.find(({ id }) => id === textAt(body, "reasonId"));
    const detail = textAt(body, "secondaryReasonId") || undefined;
    const fits =
      detail === undefined
        ? reason?.details.length === 0
        : reason?.details.some(([id]) => id === detail);
    if (reason === undefined || fits !== true) {
      throw badBody("videoAbuseReport", "invalidAbuseReason", "reasonId");
    }
    const video = visibleVideo(call, textAt(body, "videoId") ?? "", "videoId");
    world.reports.push({
      channelId: viewerOf(call),
      videoId: video.id,
      reasonId: reason.id,
      secondaryReasonId: detail,
    });
    return undefined;
  },
} as const satisfies Record<string, Handler>;
