import {
  type Action,
  action,
  type Ctx,
  type DecideState,
  type Reply,
} from "../../discord/index.ts";
import { askReject } from "./ask-reject.ts";
import { decideComments } from "./decide.ts";
import { decidedNotice } from "./decided.ts";

const reject = action<DecideState>({
  name: "comments.reject",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, decision) => decided(ctx, decision),
});

export const moderateActions: readonly Action<never>[] = [reject];

/** Approves and holds at once; asks before it rejects, which is final. */
export async function moderate(ctx: Ctx<unknown>, decision: DecideState): Promise<Reply> {
  if (decision.status === "rejected") return askReject(ctx, decision, reject.press(decision));
  return decided(ctx, decision);
}

async function decided(ctx: Ctx<unknown>, decision: DecideState): Promise<Reply> {
  return decidedNotice(decision, await decideComments(ctx, decision), ctx.words);
}
