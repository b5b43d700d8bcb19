import { describe, expect, it } from "vitest";
import { collectRoutes } from "../../src/discord/declare/routes.ts";
import { loadCommands } from "../../src/discord/index.ts";
import { prepareVideo } from "../support/chat-coverage/fill-options.ts";
import { allPlaces, type MethodPlace, sentPlaces } from "../support/chat-coverage/sent-places.ts";
import { listedUnreachable, whyUnreachable } from "../support/chat-coverage/unreachable.ts";
import { scenarios } from "../support/chat-coverage/values.ts";
import { variantsOf, walk } from "../support/chat-coverage/walk-command.ts";
import { demandsOf } from "../support/demands-of.ts";
import { openStage } from "../support/stage.ts";

const catalogue = await loadCommands(new URL("../../commands/", import.meta.url));
const walked = new Set(scenarios.map(([path]) => path));
const routes = [...collectRoutes(catalogue).commands].filter(
  ([path, { declaration }]) => demandsOf(declaration).method !== undefined || walked.has(path),
);
const commandOf = (path: string) => path.split(" ")[0] ?? "";
const commands = [...new Set(routes.map(([path]) => commandOf(path)))];

/** All parameters and fields that the bot sent in the earlier tests. */
const sent = new Set<MethodPlace>();

/**
 * Every parameter and body field of every method, as far as people can set it. Each command is used with each of its
 * options and with each parameter that its `extra` option suggests; what reaches YouTube's stand-in counts.
 */
describe("what people can set from the chat", () => {
  it.each(commands)("/%s sends whatever its extra offers", async (name) => {
    const stage = await openStage();
    const known = await prepareVideo(stage);
    const ignored: string[] = [];

    for (const [path, route] of routes.filter(([path]) => commandOf(path) === name)) {
      for await (const typed of variantsOf({ stage, path, route, known })) {
        await walk(stage, typed, route);
        for (const place of stage.videoRequests.flatMap(sentPlaces)) sent.add(place);
        const { place } = typed;
        const isSent = sent.has(`${demandsOf(route.declaration).method} ${place}` as MethodPlace);
        if (place !== undefined && !isSent) ignored.push(`/${path} ${place}`);
      }
    }

    await stage.close();
    expect(ignored).toEqual([]);
  });

  it("is all that the rows have, but for what is listed with its reason", () => {
    const missing = allPlaces().filter((place) => !sent.has(place) && !whyUnreachable(place));
    const listedNeedlessly = allPlaces().filter(
      (place) => sent.has(place) && whyUnreachable(place),
    );
    const unknown = listedUnreachable.filter((place) => !allPlaces().includes(place));

    expect({ missing, listedNeedlessly, unknown }).toEqual({
      missing: [],
      listedNeedlessly: [],
      unknown: [],
    });
  });
});
