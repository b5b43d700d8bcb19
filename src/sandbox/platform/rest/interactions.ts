import { Hono } from "hono";
import { describeCallback, takeFirstAnswer } from "../first-answer.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import type { RestEnv } from "./request.ts";

export function interactionRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/:interactionId/:token/callback", (c) => {
    const interaction = state.interactions.get(c.req.param("token"));
    if (interaction?.id !== c.req.param("interactionId")) throw rejection("unknownInteraction");
    if (interaction?.state === "expired") throw rejection("unknownInteraction");
    if (interaction?.state !== "open") throw rejection("alreadyAcknowledged");
    const answer = takeFirstAnswer(state, interaction, c.get("received"));
    if (c.req.query("with_response") !== "true") return c.body(null, 204);
    return c.json(describeCallback(state, interaction, answer));
  });
  return app;
}
