import type { ReleasedVideo, SeenRelease } from "../release.ts";
import { lostAgainMs } from "./look-schedule.ts";
import {
  type FollowedStream,
  type LostStream,
  type StreamStage,
  streamStages,
} from "./stream-record.ts";

/** Two reads of a missing video are at least this far apart. */
const sureMs = lostAgainMs * 0.75;

interface ReadStream {
  /** Undefined if YouTube does not show it. */
  readonly seen: SeenRelease | undefined;
  readonly now: number;
  /** Whether people have been told about it. */
  readonly isAnnounced: boolean;
}

/**
 * What is known of a stream after it was read. It never goes back to an earlier stage: for some minutes YouTube's servers may
 * still answer with the one before.
 */
export function streamAfter(
  before: FollowedStream | undefined,
  { seen, now, isAnnounced }: ReadStream,
): FollowedStream | undefined {
  if (seen === undefined || seen.state === "hidden") {
    const why = seen === undefined ? "gone" : "private";
    return before && { ...before, readAt: now, lost: lostAfter(before.lost, why, now) };
  }
  const { isBack, ...known } = before ?? {};
  const stage = laterOf(before?.stage ?? "scheduled", stageOf(seen));
  const startsAt = seen.startsAt ?? before?.startsAt;
  const isOver = stage === "over" || stage === "recorded";
  const begun = seen.startedAt ?? before?.startedAt ?? (stage === "live" ? now : undefined);
  const viewers = Math.max(before?.peakViewers ?? 0, seen.viewers ?? 0);
  return {
    ...known,
    stage,
    video: { ...seen.video, kind: kindOf(before, seen, isAnnounced) },
    readAt: now,
    startsAt,
    firstStartsAt: (isAnnounced ? before?.firstStartsAt : undefined) ?? startsAt,
    startedAt: begun,
    endedAt: isOver ? (seen.endedAt ?? before?.endedAt ?? now) : undefined,
    peakViewers: viewers === 0 ? undefined : viewers,
    recordedAt: stage === "recorded" ? (before?.recordedAt ?? now) : undefined,
    lost: undefined,
    ...((isBack || before?.lost?.isSure) && { isBack: true }),
  };
}

function lostAfter(
  before: LostStream | undefined,
  why: LostStream["why"],
  now: number,
): LostStream {
  // A clock that was put back must not make it wait.
  const since = Math.min(before?.since ?? now, now);
  const isSure = why === "private" || before?.isSure === true || now - since >= sureMs;
  return { since, why, ...(isSure && { isSure: true }) };
}

function stageOf({ state, video, startedAt }: SeenRelease): StreamStage {
  // For some minutes YouTube may still say that it is to come: docs/services/youtube.md#streams-and-premieres
  if (state === "upcoming") return startedAt === undefined ? "scheduled" : "live";
  if (state === "processing") return "over";
  if (video.kind === "live" || video.kind === "premiere") {
    if (video.isOver !== true) return "live";
    return (video.seconds ?? 0) > 0 ? "recorded" : "over";
  }
  return "recorded";
}

function laterOf(one: StreamStage, other: StreamStage): StreamStage {
  return streamStages.indexOf(one) > streamStages.indexOf(other) ? one : other;
}

/** Once it is over, nothing tells a premiere from a stream; and what was announced keeps its place. */
function kindOf(
  before: FollowedStream | undefined,
  seen: SeenRelease,
  isAnnounced: boolean,
): ReleasedVideo["kind"] {
  const stage = stageOf(seen);
  const isClear = stage === "scheduled" || stage === "live";
  const isKept = isAnnounced || !isClear;
  return (isKept ? before?.video?.kind : undefined) ?? seen.video.kind;
}
