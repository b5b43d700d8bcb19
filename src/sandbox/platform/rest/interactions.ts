import { Hono } from "hono";
import { describeCallback, takeFirstAnswer } from "../first-answer.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState, StoredInteraction } from "../state.ts";
import { type RestContext, type RestEnv, readParam } from "./request.ts";

export function interactionRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/:interactionId/:token/callback", (c) => {
    const interaction = wanted(state, c);
    const answer = takeFirstAnswer(state, interaction, c.get("received"));
    if (c.req.query("with_response") !== "true") return c.body(null, 204);
    return c.json(describeCallback(state, interaction, answer));
  });
  return app;
}

function wanted(state: PlatformState, c: RestContext): StoredInteraction {
  const interaction = state.interactions.get(readParam(c, "token"));
  if (interaction?.id !== c.req.param("interactionId")) throw rejection("unknownInteraction");
  if (interaction?.state === "expired") throw rejection("unknownInteraction");
  if (interaction?.state !== "open") throw rejection("alreadyAcknowledged");
  return interaction;
}
