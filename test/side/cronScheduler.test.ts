import { beforeEach, describe, expect, it } from "vitest";
import { type CronJob, CronScheduler, maxCronJobs } from "../../src/agent/cron/cronScheduler.ts";
import { ManualClock } from "../support/manualClock.ts";

const minute = 60_000;
const start = new Date(2026, 0, 5, 9, 0, 30).getTime();

describe("timed prompts of a session", () => {
  let clock: ManualClock;
  let idle: boolean;
  let delivered: CronJob[];
  let scheduler: CronScheduler;

  beforeEach(() => {
    clock = new ManualClock(start);
    idle = true;
    delivered = [];
    scheduler = new CronScheduler({ clock, isIdle: () => idle, deliver: (job) => delivered.push(job) });
  });

  const create = (schedule: string, recurring = true, prompt = "look at the build") =>
    scheduler.create({ schedule, prompt, recurring });

  it("fires a recurring job at each of its times, in local time", () => {
    create("*/5 * * * *");
    clock.advance(4 * minute);
    expect(delivered).toHaveLength(0);
    clock.advance(30_000);
    expect(delivered.map((job) => job.prompt)).toEqual(["look at the build"]);
    clock.advance(10 * minute);
    expect(delivered).toHaveLength(3);
  });

  it("H21.5 a one-shot job fires once and leaves the list", () => {
    const job = create("30 9 * * *", false);
    expect(scheduler.snapshot()).toEqual([
      { id: job.id, schedule: "30 9 * * *", recurring: false, prompt: "look at the build" },
    ]);
    clock.advance(31 * minute);
    expect(delivered).toHaveLength(1);
    expect(scheduler.snapshot()).toEqual([]);
    clock.advance(48 * 60 * minute);
    expect(delivered).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("a job due every minute during a ten-minute turn fires once when the turn is over, then goes on", () => {
    create("* * * * *");
    idle = false;
    clock.advance(10 * minute);
    expect(delivered).toHaveLength(0);
    idle = true;
    scheduler.deliverDue();
    expect(delivered).toHaveLength(1);
    scheduler.deliverDue();
    expect(delivered).toHaveLength(1);
    clock.advance(minute);
    expect(delivered).toHaveLength(2);
  });

  it("hands over one of several due jobs per idle moment, since each starts a turn", () => {
    scheduler.dispose();
    scheduler = new CronScheduler({
      clock,
      isIdle: () => idle,
      deliver: (job) => {
        delivered.push(job);
        idle = false;
      },
    });
    create("* * * * *", true, "first");
    create("* * * * *", true, "second");
    clock.advance(minute);
    expect(delivered.map((job) => job.prompt)).toEqual(["first"]);
    idle = true;
    scheduler.deliverDue();
    expect(delivered.map((job) => job.prompt)).toEqual(["first", "second"]);
  });

  it("a one-shot job that comes due while busy is still listed, and fires once", () => {
    create("1 9 * * *", false);
    idle = false;
    clock.advance(3 * minute);
    expect(scheduler.snapshot()).toHaveLength(1);
    idle = true;
    scheduler.deliverDue();
    scheduler.deliverDue();
    expect(delivered).toHaveLength(1);
    expect(scheduler.snapshot()).toEqual([]);
  });

  it("a suspend of the machine makes up for the missed times once", () => {
    create("0 * * * *");
    clock.jump(5 * 60 * minute);
    expect(delivered).toHaveLength(1);
    clock.advance(60 * minute);
    expect(delivered).toHaveLength(2);
  });

  it("a date months away does not overflow the timer and fires at its time", () => {
    create("0 12 1 6 *", false);
    clock.advance(new Date(2026, 5, 1, 11, 59).getTime() - start);
    expect(delivered).toHaveLength(0);
    clock.advance(minute);
    expect(delivered).toHaveLength(1);
  });

  it("deleting takes effect at once and says whether there was anything", () => {
    const job = create("* * * * *");
    expect(scheduler.delete(job.id)).toBe(true);
    expect(scheduler.delete(job.id)).toBe(false);
    clock.advance(10 * minute);
    expect(delivered).toHaveLength(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends with the session", () => {
    create("* * * * *");
    scheduler.dispose();
    clock.advance(10 * minute);
    expect(delivered).toHaveLength(0);
    expect(clock.pendingTimers).toBe(0);
    expect(() => create("* * * * *")).toThrow("session has ended");
  });

  it.each([
    ["* * * *", "4 fields"],
    ["* * * * * *", "6 fields"],
    ["@daily", "1 field"],
    ["", "0 fields"],
    ["61 * * * *", "61 * * * *"],
    ["a b c d e", "a b c d e"],
  ])("refuses %j and says what is wrong", (schedule, reason) => {
    expect(() => create(schedule)).toThrow(reason);
    expect(() => create(schedule)).toThrow("cron expression of five fields");
  });

  it("refuses a date that does not exist", () => {
    expect(() => create("0 0 31 2 *")).toThrow("never fires");
  });

  it("refuses an empty prompt and more jobs than a session may hold", () => {
    expect(() => create("* * * * *", true, "  ")).toThrow("empty");
    for (let i = 0; i < maxCronJobs; i++) create("0 0 1 1 *");
    expect(() => create("0 0 1 1 *")).toThrow(`at most ${maxCronJobs}`);
  });
});
