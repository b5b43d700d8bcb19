import { ComponentType } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

describe("/search", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const search = async (options: Readonly<Record<string, string>>) =>
    asMessage(await stage.sandbox.user("member").command("search", options));

  it("shows five results with picture, channel, length and age, for everybody", async () => {
    const message = await search({ query: "light", type: "video" });
    const [container] = message.components ?? [];
    const parts = container?.type === ComponentType.Container ? container.components : [];
    const sections = parts.filter(({ type }) => type === ComponentType.Section);

    expect(isEphemeral(message)).toBe(false);
    expect(sections).toHaveLength(5);
    expect(textOf(message)).toMatch(/\n\d+:\d\d · <t:\d+:R>/u);
  });

  it("turns to the next page and back, and going back asks the service nothing", async () => {
    const first = await search({ query: "light" });
    const person = stage.sandbox.user("member");

    const second = asMessage(await person.click(first, "Next"));
    stage.sandbox.video.faults.add({ kind: "answer", status: 403 });
    const back = asMessage(await person.click(second, "Previous"));
    stage.sandbox.video.faults.clear();

    expect(textOf(second)).not.toBe(textOf(first));
    expect(textOf(back)).toBe(textOf(first));
  });

  it("shows details to the person who asked for them alone", async () => {
    const message = await search({ query: "light", type: "video" });

    const details = asMessage(await stage.sandbox.user("owner").click(message, "Details"));

    expect(isEphemeral(details)).toBe(true);
    expect(textOf(details)).toMatch(/Views/u);
  });

  it("lets nobody else turn a person's pages", async () => {
    const message = await search({ query: "light" });

    const refusal = asMessage(await stage.sandbox.user("owner").click(message, "Next"));

    expect(isEphemeral(refusal)).toBe(true);
    expect(textOf(refusal)).toContain("belong to somebody else");
  });

  it("asks for videos when a length is wanted, because the service wants that", async () => {
    expect(textOf(await search({ query: "light", duration: "short" }))).toContain("Results for");
  });

  it("says so when nothing is found", async () => {
    expect(textOf(await search({ query: "zzzyyyxxxwww" }))).toContain("Nothing was found");
  });

  it("suggests countries by name in the person's language", async () => {
    const choices = await stage.sandbox.user("member").suggest("search", "region", "germ");

    expect(choices).toContainEqual({ name: "Germany", value: "DE" });
  });

  it("names the fault when the region is no country", async () => {
    const message = await search({ query: "light", region: "Atlantis" });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toContain("like DE");
  });

  it("tells what is wrong when the service fails, and nothing stays spinning", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 503, path: /\/search/u });

    const message = await search({ query: "light" });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toMatch(/Reference [0-9A-Z]{6}/u);
    stage.sandbox.video.faults.clear();
  });

  it("keeps to Discord's specification in all of this, from the registration on", async () => {
    const registered = stage.exchanges.find(({ method }) => method === "PUT");

    expect(registered?.path).toMatch(/\/commands$/u);
    expect(await stage.violations()).toEqual([]);
  });
});
