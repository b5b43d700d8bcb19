import { changeKept } from "../book.ts";
import type { RuleParts } from "../parts.ts";
import { dayIn } from "./day.ts";

export interface Room {
  readonly taken: number;
  /** The first time today that more was wanted than there may be. */
  readonly isFirstOver: boolean;
  readonly day: string;
}

/**
 * Takes as many of today's automatic acts as there still is room for. They are taken before anything is done, so that
 * several watches, here and in other processes, keep to one number. @throws ServiceError `store_unavailable`
 */
export async function takeRoom(parts: RuleParts, guildId: string, wanted: number): Promise<Room> {
  const { timeZone } = await parts.settings(guildId);
  const day = dayIn(timeZone, parts.clock.now());
  let room: Room = { taken: 0, isFirstOver: false, day };
  if (wanted === 0) return room;
  await changeKept(parts, guildId, (book) => {
    const today = book.acted?.day === day ? book.acted : { day, count: 0 };
    const taken = Math.max(0, Math.min(wanted, book.dailyCap - today.count));
    const isOver = taken < wanted;
    room = { taken, isFirstOver: isOver && today.isOver !== true, day };
    const acted = {
      ...today,
      count: today.count + taken,
      ...(isOver && { isOver: true as const }),
    };
    return { ...book, acted };
  });
  return room;
}
