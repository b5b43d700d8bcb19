import type { CommentDecider } from "../decide/index.ts";
import type { CommentJudge, ModerationPartDeps } from "../deps.ts";
import type { Troubles } from "../trouble/index.ts";

export interface AnnounceDeps extends ModerationPartDeps {
  readonly judge: CommentJudge;
  readonly decider: CommentDecider;
  readonly troubles: Troubles;
}
