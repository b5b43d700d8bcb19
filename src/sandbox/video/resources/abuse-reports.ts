import { viewerOf, visibleVideo } from "../access.ts";
import { toList, toResource } from "../answer.ts";
import { textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { readLanguage } from "../locale.ts";
import { badBody } from "../refusal.ts";
import { type AbuseReason, abuseReasons, inLanguage } from "../world/index.ts";

const kind = "youtube#videoAbuseReportReason";

const parts = {
  snippet: ({ label, details }: AbuseReason, call: Call) => {
    const language = readLanguage(call);
    return {
      label: inLanguage(label, language),
      ...(details.length > 0 && {
        secondaryReasons: details.map(({ id, label: text }) => ({
          id,
          label: inLanguage(text, language),
        })),
      }),
    };
  },
};

export const abuseReports = {
  "videoAbuseReportReasons.list": (call) => {
    readLanguage(call);
    const items = abuseReasons.map((reason) =>
      toResource(call, { kind, id: reason.id, thing: reason, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
  "videos.reportAbuse": (call) => {
    const { body, world } = call;
    const reason = abuseReasons.find(({ id }) => id === textAt(body, "reasonId"));
    const detail = textAt(body, "secondaryReasonId") || undefined;
    const fits =
      detail === undefined
        ? reason?.details.length === 0
        : reason?.details.some(({ id }) => id === detail);
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
