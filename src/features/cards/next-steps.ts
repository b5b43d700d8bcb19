import { type Button, compact, reaches } from "../../discord/index.ts";
import type { CredentialKind } from "../../store/index.ts";
import type { Ctx } from "../context/index.ts";
import { presses } from "./presses.ts";

/** The steps of setting up, in their order. */
type SetupStep = CredentialKind | "watch";

/**
 * What to do after a step of setting up: key, channel, watch, first picture. The first of these is the primary button; remove.bg
 * needs no other step, so it is offered as soon as it is missing.
 */
export async function nextSteps(
  ctx: Pick<Ctx, "words" | "rank" | "credentials" | "moderation">,
  done?: SetupStep,
): Promise<readonly Button[]> {
  const { words, rank } = ctx;
  const kinds = ["video-key", "channel", "background-key"] as const;
  const found = await Promise.all(kinds.map((kind) => ctx.credentials.facts(kind)));
  const has = (kind: CredentialKind) => kind === done || found[kinds.indexOf(kind)] !== undefined;
  const [isOwner, isManager] = [reaches(rank, "owner"), reaches(rank, "manager")];
  const isWatchMissing =
    done !== "watch" &&
    isManager &&
    has("channel") &&
    (await ctx.moderation.watches.all()).length === 0;
  const picture = { label: words.say("start.photo"), press: presses.picture.form() };
  const connect = (kind: "video-key" | "background-key") => ({
    label: words.say(`start.connect.${kind}`),
    press: presses.connection.enterKey(kind),
  });
  const steps: readonly Button[] = compact([
    done === "background-key" && picture,
    isOwner && !has("video-key") && connect("video-key"),
    isOwner &&
      has("video-key") &&
      !has("channel") && {
        label: words.say("start.connect.channel"),
        press: presses.connection.reconnect({}),
      },
    isWatchMissing && { label: words.say("watch.here.button"), press: presses.watch.offerHere() },
    isOwner && !has("background-key") && connect("background-key"),
    done !== "background-key" && has("background-key") && picture,
  ]);
  return steps.map((step, index) => (index === 0 ? { ...step, style: "primary" } : step));
}
