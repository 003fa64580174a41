import {
  questionLimits as limits,
  type QuestionAnswer,
  type QuestionText,
  readingKinds,
} from '../../../src/schemas/inspect/question.ts'
import { askSafely } from '../../concurrency/askSafely.ts'
import { auditTarget } from '../../http/routes/route.ts'
import type { Questions } from '../../inspect/questions/questions.ts'
import { notedQuestion } from '../../inspect/questions/questionsPlugin.ts'
import type { Log } from '../../log.ts'
import type { Person } from '../../person.ts'
import { ordered } from './inspectTools.ts'
import {
  argument,
  array,
  badArgument,
  type Caller,
  defineTool,
  flag,
  integer,
  object,
  type Tool,
  text,
} from './tool.ts'

interface QuestionToolServices {
  questions: Questions
  /** Who a caller is at this moment; `undefined` when their token has ended. */
  personNow: (caller: Caller) => Person | undefined
  log: Pick<Log, 'error'>
}

/** Servers of one call: a model reads no more. */
const mostServers = 500
/** Characters of each text, for the same reason. */
const maxText = 4096
/** Milliseconds between two looks: a question at which nobody looks ends. */
const lookMs = (limits.unwatchedSeconds * 1000) / 3

/** The same question to many servers. */
export function questionTools({ questions, personNow, log }: QuestionToolServices): Tool[] {
  const { integer: whole, text: string } = argument

  const ask = defineTool({
    name: 'server.ask',
    description:
      'Asks many servers the same, and groups those that answer alike: the state of a unit, the installed version of a ' +
      `package, which processes have a text in their command, or the content of a file. kind is one of ${readingKinds.join(', ')}; ` +
      'text is the name, text or path. Servers without an answer have a reason.',
    scope: 'nezha:server:read',
    input: {
      server_ids: argument.ids,
      kind: string,
      text: string,
      at_once: whole({ minimum: 1, maximum: limits.atOnce }),
    },
    required: ['server_ids', 'kind', 'text'],
    outputSchema: object(
      {
        answers: array(
          object({ text, is_absent: flag, truncated: flag, server_ids: array(integer) }, ['text', 'server_ids']),
        ),
        unanswered: array(object({ server_id: integer, reason: text }, ['server_id', 'reason'])),
      },
      ['answers', 'unanswered'],
    ),
    async run({ server_ids, kind: given = '', text: asked = '', at_once = 8 }, { caller, signal, note }) {
      const kind = readingKinds.find((one) => one === given)
      if (!kind) throw badArgument(`kind must be one of ${readingKinds.join(', ')}`)
      if (asked.trim() === '' || asked.length > limits.text) {
        throw badArgument(`text must have 1 to ${limits.text} characters`)
      }
      const servers = server_ids ?? []
      if (servers.length === 0 || servers.length > mostServers) {
        throw badArgument(`server_ids must have 1 to ${mostServers} ids`)
      }
      if (at_once < 1 || at_once > limits.atOnce) throw badArgument(`at_once must be from 1 to ${limits.atOnce}`)
      const order = { kind, text: asked.trim(), servers, at_once, stop_after: 0 }
      note({ target: auditTarget('server', servers), ...notedQuestion(order) })
      const { id } = ordered(() => questions.ask(() => personNow(caller), order))
      const failure = 'A question of a program could not be looked at, or not be ended:'
      const safely = (work: () => unknown) => () => askSafely(() => void work(), { fallback: undefined, log, failure })
      const end = safely(() => questions.end(caller.person, id))
      signal.addEventListener('abort', end)
      // Only who looks keeps it going; what is there is read at the end.
      const looks = setInterval(
        safely(() => questions.look(caller.person, id, limits.servers)),
        lookMs,
      )
      try {
        await questions.ended(caller.person, id)
      } finally {
        clearInterval(looks)
        signal.removeEventListener('abort', end)
      }
      return summed(questions, caller.person, id)
    },
  })

  return [ask]
}

/** All answers, those that are alike together. */
function summed(questions: Questions, person: Person, id: string) {
  const answers: QuestionAnswer[] = []
  const texts: QuestionText[] = []
  for (let after = -1, next = 0; after < next; ) {
    after = next
    const state = questions.look(person, id, after)
    answers.push(...state.answers)
    texts.push(...state.texts)
    next = state.next
  }
  const byText = new Map(texts.map((one) => [one.id, { ...one, server_ids: [] as number[] }]))
  for (const { text_id = -1, server_id } of answers) byText.get(text_id)?.server_ids.push(server_id)
  return {
    answers: [...byText.values()].map(({ id: _, text: said, is_absent, truncated, server_ids }) => ({
      text: said.slice(0, maxText),
      ...(is_absent && { is_absent }),
      ...((truncated || said.length > maxText) && { truncated: true }),
      server_ids,
    })),
    unanswered: answers.flatMap(({ server_id, text_id, reason = '' }) =>
      text_id === undefined ? [{ server_id, reason }] : [],
    ),
  }
}
