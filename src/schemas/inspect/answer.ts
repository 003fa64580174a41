import { z } from 'zod'

/**
 * Why a machine says nothing about a subject. `offline`: it does not report. `agent_version`: its agent is too old.
 * `commands_off`: its settings allow no commands. `platform`: its system has no such command. `no_program`: the program
 * is not installed. `busy`: it is being asked too much. `timeout`: it did not answer in time. `failed`: what it said
 * instead is in `detail`.
 */
export const silenceCauses = [
  'offline',
  'agent_version',
  'commands_off',
  'platform',
  'no_program',
  'busy',
  'timeout',
  'failed',
] as const
export type SilenceCause = (typeof silenceCauses)[number]

/** What a machine says about a subject: `items`, or why there are none. */
export const answerOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item).default([]),
    /** Why there are no items, in words. */
    reason: z.string().optional(),
    /** The same for programs; what it is about is in `detail`: a version, a program, an error. */
    cause: z.enum(silenceCauses).optional(),
    detail: z.string().optional(),
    /** Output that was not understood, as it is. */
    text: z.string().optional(),
    /** Whether there are more than these. */
    truncated: z.boolean().optional(),
    /** Where what comes before these items begins, for those subjects that can be asked for it (`before`). */
    earlier: z.string().optional(),
    /** When the machine was asked. */
    at: z.string().optional(),
    /** Milliseconds after which asking again gives something new. */
    fresh_ms: z.int().optional(),
  })

/** How many items an answer has at most, and bytes of a text that was not understood. */
export const answerLimits = { items: 10_000, textBytes: 65_536 } as const
