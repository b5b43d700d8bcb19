import type { CredentialKind } from "../../store/index.ts";
import { type Method, type MethodSpec, methods, needsToken } from "../../video/index.ts";
import { type Rank, reaches } from "../rank.ts";

/** What a handler asks of the person and the guild. */
export interface Demands {
  /** Lowest rank that may use it; what its row does decides when absent. */
  readonly rank?: Rank;
  /** The video method that it is about; its authorisation and effect are derived from the row. */
  readonly row?: Method;
  /** Rows that it calls beside its own, or instead of one. */
  readonly uses?: readonly Method[];
  /** Credentials it needs beyond the rows'. */
  readonly needs?: readonly CredentialKind[];
  /** Credentials it uses when they are there. */
  readonly wants?: readonly CredentialKind[];
}

/** Rows that moderators carry out: deciding about comments, and answering them. */
const moderating: ReadonlySet<Method> = new Set([
  "comments.setModerationStatus",
  "comments.insert",
]);

/**
 * The lowest rank: its own, or by what its row does. Reading is free; what only the channel's own consent shows is
 * for moderators, writing for managers (docs/decisions.md).
 */
export function rankFor({ rank, row }: Demands): Rank {
  if (rank !== undefined) return rank;
  if (row === undefined) return "member";
  const spec: MethodSpec = methods[row];
  if (moderating.has(row)) return "moderator";
  if (spec.effect !== "read") return "manager";
  return spec.auth === "token" ? "moderator" : "member";
}

/** What was typed that only the linked channel can be asked: a part that its owner alone is shown, or a list of its own. */
export function asksOwnView({ row }: Demands, params: Readonly<Record<string, unknown>>): boolean {
  if (row === undefined || methods[row].auth === "token") return false;
  return needsToken(methods[row], params);
}

/** The same with the linked channel's own eyes, which are for moderators and above. */
export function ownViewDemands<D extends Demands>(demands: D): D {
  const rank = rankFor(demands);
  return {
    ...demands,
    rank: reaches(rank, "moderator") ? rank : "moderator",
    needs: [...(demands.needs ?? []), "channel"],
  };
}

/** Whether an answer about that row is for the person alone unless it says otherwise. */
export function isPrivate({ row }: Demands): boolean {
  if (row === undefined) return false;
  const spec: MethodSpec = methods[row];
  return spec.effect !== "read" || spec.auth === "token";
}

/** Whether it is about to change something. */
export function isWriting({ row }: Demands): boolean {
  if (row === undefined) return false;
  const spec: MethodSpec = methods[row];
  return spec.effect !== "read";
}

/** How the rows of a handler are to be called: not at all, by anything that can read, or as the channel alone. */
export function videoDemand({ row, uses = [], needs = [] }: Demands): "none" | "any" | "channel" {
  if (needs.includes("channel")) return "channel";
  const rows = [...(row === undefined ? [] : [row]), ...uses];
  if (rows.length === 0) return needs.includes("video-key") ? "any" : "none";
  const isTokenOnly = row !== undefined && methods[row].auth === "token";
  return isTokenOnly ? "channel" : "any";
}

/** Whether it makes a difference which of the linked channels it acts as. */
export function actsAsChannel({ row, uses = [], needs = [] }: Demands): boolean {
  const rows = [...(row === undefined ? [] : [row]), ...uses];
  return needs.includes("channel") || rows.some(mayNeedToken);
}

function mayNeedToken(method: Method): boolean {
  const { auth, query }: MethodSpec = methods[method];
  return auth === "token" || Object.values(query).some((spec) => spec.needsToken !== undefined);
}
