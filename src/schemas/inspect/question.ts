import { z } from 'zod'
import { silenceCauses } from './answer.ts'

/** Of one question to many servers. */
export const questionLimits = {
  /** Servers. */
  servers: 5000,
  /** Servers that are asked at the same time. */
  atOnce: 32,
  /** Characters of what is asked for: a name, a path, a command. */
  text: 4096,
  /** Bytes of an answer. */
  answerBytes: 65_536,
  /** Characters of all answers that are kept, each other one once; of those beyond, only their beginning. */
  allTexts: 4_194_304,
  beginning: 1024,
  /** Characters of the answers to all questions together; those beyond are left out. */
  allQuestions: 67_108_864,
  /** Bytes of a file that is compared as a whole. */
  comparedBytes: 16_777_216,
  /** Seconds that a command may take, and those that reading may. */
  commandSeconds: 60,
  readSeconds: 15,
  /** Minutes after which a question ends, and for which its answers are kept afterwards. */
  minutes: 15,
  keptMinutes: 60,
  /** Seconds after which it ends when nobody looks at it. */
  unwatchedSeconds: 30,
  /**
   * Questions under way. From `crowded` on, a person has one at a time, so that nobody is kept out by a few; those of
   * administrators are not counted in `total`.
   */
  running: { perPerson: 2, crowded: 8, total: 32 },
  /** Those that are kept with their answers, of one person and in all. */
  kept: { perPerson: 4, total: 64 },
} as const

/**
 * What is asked. `unit`: the state of a unit by its name; `package`: the installed version by its name; `process`: the
 * processes whose command has a text in it; `file`: the content of a file.
 */
export const readingKinds = ['unit', 'package', 'process', 'file'] as const
/** `command`: a line for the shell. */
export const questionKinds = [...readingKinds, 'command'] as const
export type QuestionKind = (typeof questionKinds)[number]

const order = {
  /** The name, text, path or command. */
  text: z.string().trim().min(1).max(questionLimits.text),
  /** Ids of servers, asked in this order. */
  servers: z.array(z.int().min(1)).min(1).max(questionLimits.servers),
  /** How many are asked at the same time. */
  at_once: z.int().min(1).max(questionLimits.atOnce).default(8),
  /** After how many failures no further server is asked; 0: all are. Servers that cannot be asked are none. */
  stop_after: z.int().min(0).max(questionLimits.servers).default(0),
}
export const questionOrder = z.object({ kind: z.enum(readingKinds), ...order })
export const commandOrder = z.object(order)
export type QuestionOrder = z.output<typeof commandOrder> & { kind: QuestionKind }

/**
 * Why a server has no answer: as `silenceCauses`; it was deleted, the person may not look into it, the end came first, or
 * there is no room for more answers.
 */
export const unansweredCauses = [...silenceCauses, 'deleted', 'not_allowed', 'ended', 'left_out'] as const
export type UnansweredCause = (typeof unansweredCauses)[number]

/** What one server said, or why it said nothing. */
export const questionAnswer = z.object({
  server_id: z.int(),
  /** '' where the person may not know it. */
  name: z.string(),
  /** The id of its text in `texts`. */
  text_id: z.int().optional(),
  /** Whether blanks at the ends of lines, or the ends of lines themselves, differ from the text. */
  differs_in_blanks: z.boolean().optional(),
  /** Why there is no answer; what it is about is in `detail`, and both are in `reason` in words. */
  cause: z.enum(unansweredCauses).optional(),
  detail: z.string().optional(),
  reason: z.string().optional(),
})
export type QuestionAnswer = z.output<typeof questionAnswer>

/** An answer that one or more servers gave. */
export const questionText = z.object({
  id: z.int(),
  text: z.string(),
  /** Of a command. */
  exit_code: z.int().optional(),
  /** Whether there is no such unit, package, process or file. */
  is_absent: z.boolean().optional(),
  /** Whether this is only the beginning. */
  truncated: z.boolean().optional(),
  /** Of a file that is longer or no text: these tell files apart. */
  size: z.int().optional(),
  checksum: z.string().optional(),
})
export type QuestionText = z.output<typeof questionText>

/**
 * How a question ended: `done`: all were asked; `person`: it was ended; `failures`: as many failed as were allowed; `time`:
 * it took too long; `left`: nobody looked at it; `signed_out`: who asked has no session any more.
 */
export const questionEnds = ['done', 'person', 'failures', 'time', 'left', 'signed_out'] as const
export type QuestionEnd = (typeof questionEnds)[number]

/** Where a question stands, with the answers since the last look, as far as who looks may know them. */
export const questionState = z.object({
  kind: z.enum(questionKinds),
  text: z.string(),
  total: z.int(),
  /** Who has asked, and when (ISO 8601). */
  asked_by: z.string(),
  asked_at: z.string(),
  /** Whether who looks may end it: who has asked, and administrators. */
  may_end: z.boolean(),
  /** Servers that have answered, or cannot. */
  done: z.int(),
  /** How many of them failed, as `stop_after` counts. */
  failed: z.int(),
  /** Absent while it is under way. */
  ended: z.enum(questionEnds).optional(),
  answers: z.array(questionAnswer),
  /** Those that these answers are the first with. */
  texts: z.array(questionText),
  /** What `after` has to be at the next look; there is more when it is less than `done`. */
  next: z.int(),
})
export type QuestionState = z.output<typeof questionState>

export const questionQuery = z.object({ after: z.int().min(0).default(0) })
