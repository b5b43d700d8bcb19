import { describe, expect, it } from "vitest";
import type { NameSign } from "../../../src/moderation/index.ts";
import { ann, guildId, openRig, putWatch, settingOf } from "../support/rig.ts";
import { found, refused } from "./found.ts";

const ownNames = ["Orbit Kitchen", "@orbit.kitchen"];

function foundIn(sign: NameSign, authorName: string, own: readonly string[] = ownNames) {
  return found({ kind: "names", signs: [sign] }, "Nice!", {
    comment: { authorName },
    ownNames: own,
  });
}

describe("a rule about author names", () => {
  it.each([
    "Orbit Kitchen",
    "@OrbitKitchen",
    "@0rbit_Kitchen77",
    "Оrbіt Кitсhеn",
    "𝓞𝓻𝓫𝓲𝓽 𝓚𝓲𝓽𝓬𝓱𝓮𝓷",
    "Orbit  Kitchennn",
    "Orbit Kitchen ✔️",
    "@orbitkitchen-giveaway",
    "@OrbitKitcken",
    "O r b i t K i t c h e n",
    "@orb\u200bitkitchen",
  ])("finds that %s imitates the channel", (name) => {
    expect(foundIn("imitates", name)).toContain("≈");
  });

  it.each([
    ["Orbital Mechanics", ownNames],
    ["@kitchen.fan", ownNames],
    ["Ann", ownNames],
    ["", ownNames],
    ["AnnaLover", ["Anna"]],
    ["Music fan", ["Mus"]],
    ["Orbit Kitchen", []],
  ] as const)("takes %s for no imitation of %j", (name, own) => {
    expect(foundIn("imitates", name, own)).toBeUndefined();
  });

  it("takes the very name of a channel with a short one for an imitation", () => {
    expect(foundIn("imitates", "@ANNA1", ["Anna"])).toBe("@ANNA1 ≈ Anna");
  });

  it.each([
    ["Reply from Orbit", "reply from"],
    ["@OrbitOfficial", "official"],
    ["0fficial Orbit", "official"],
    ["@orbit_support_team", "support team"],
    ["Ann @ann_on_telegram", "@ann_on_telegram"],
    ["📲+1 (234) 567-8901", "+1 (234) 567-8901"],
    ["WhatsApp me", "whatsapp"],
    ["公式チャンネル", "公式"],
  ])("finds what %s claims", (name, claim) => {
    expect(foundIn("claims", name)).toBe(claim);
  });

  it.each(["Unofficial Orbit", "@ann", "Ann 2009", "@user-ab1cd2ef3g", "officer", "Adminton"])(
    "finds no claim in %s",
    (name) => {
      expect(foundIn("claims", name)).toBeUndefined();
    },
  );

  it("finds links in names, and whatever else it is told about the author", () => {
    const of = { comment: { authorName: "A", hasOwnPicture: true, newSince: 0 }, ownNames };

    expect(foundIn("links", "Free gifts at scam.example.com/x")).toBe("scam.example.com/x");
    expect(foundIn("links", "@mr.beast")).toBeUndefined();
    expect(found({ kind: "names", signs: ["picture"] }, "", of)).toBe("🖼️ = Orbit Kitchen");
    expect(found({ kind: "names", signs: ["new"] }, "", of)).toBe("✨ 1970-01-01");
    expect(found({ kind: "names", signs: ["links"] }, "", of)).toBeUndefined();
  });

  it("looks for something", () => {
    expect(refused(() => foundIn("none" as never, "Ann"))).toEqual({ code: "rule_names" });
  });

  it("reads authors' channels once, 50 for a unit, and the own names only where it needs them", async () => {
    const rig = await openRig();
    const { server, watch } = rig.process();
    const title = rig.video.channels.get(rig.video.ownChannelId)?.title ?? "";
    rig.hold("one", { author: `${title} official` });
    rig.hold("two", { author: "Brand New", joinedAt: rig.clock.now() - 86_400_000 });
    const rule = { name: "Names", does: "suggest", decision: "reject" } as const;
    const test = { kind: "names", signs: ["imitates", "new"] } as const;
    await server.rules.add({ ...rule, test }, ann.userId);

    await watch();
    await rig.clock.pass(20_000);

    const advice = Object.fromEntries(
      (await rig.items()).map(({ comment, advice }) => [comment.text, advice?.found]),
    );
    expect(advice.one).toBe(`${title} official ≈ ${title}`);
    expect(advice.two).toMatch(/^✨ \d{4}-\d\d-\d\d$/u);
    const calls = rig.asked.filter(({ path }) => path.endsWith("/channels"));
    // One for the own names, one for both authors.
    expect(calls).toHaveLength(2);
  });
});

describe("an author who was hidden on another channel of the server", () => {
  it("is marked, and nothing is done about them; those whom rules spare are not marked", async () => {
    const rig = await openRig();
    const { server } = rig.process({ channelName: async (_, source) => `Name of ${source}` });
    const one = rig.video.addComment({ text: "a", status: "heldForReview", author: "Hidden" });
    const two = rig.video.addComment({ text: "b", status: "heldForReview", author: "Spared" });
    rig.video.addComment({ text: "c", status: "heldForReview", author: "Other" });
    const entry = { by: ann, act: "banned", from: "card", commentId: "c", at: 5 } as const;
    const banned = [one, two].map(({ authorChannelId: authorId }, n) => ({
      ...entry,
      id: `000000000000${n}-00000000`,
      authorId,
      source: "UCother",
      answer: "done",
    }));
    for (const each of banned) await rig.records.audit.add(guildId, each);
    await server.rules.configure((stored) => ({
      ...stored,
      spared: { members: false, authors: [{ id: two.authorChannelId }] },
    }));

    await putWatch(server, settingOf(rig.video));
    await rig.clock.pass(20_000);

    const marks = Object.fromEntries(
      (await rig.items()).map(({ comment, hiddenOn, status }) => [
        comment.text,
        [hiddenOn, status],
      ]),
    );
    expect(marks).toEqual({
      a: [{ source: "UCother", name: "Name of UCother", at: 5 }, "open"],
      b: [undefined, "open"],
      c: [undefined, "open"],
    });
  });

  it("is not marked on the channel where it happened, nor for what failed", async () => {
    const { records } = await openRig();
    const entry = { by: ann, act: "banned", from: "card", commentId: "c", at: 5 } as const;
    const rows = [
      { source: "UChere", answer: "done", authorId: "UCa" },
      { source: "UCother", answer: "quota_exceeded", authorId: "UCb" },
    ];
    for (const [n, row] of rows.entries())
      await records.audit.add(guildId, { ...entry, ...row, id: `000000000000${n}-00000000` });

    expect(await records.audit.hiddenElsewhere(guildId, ["UCa", "UCb"], "UChere")).toEqual(
      new Map(),
    );
  });
});
