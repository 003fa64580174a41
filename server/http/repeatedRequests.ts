import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestIdHeader, requestIdMs } from '../../src/schemas/define/wireNames.ts'
import { ApiError } from '../wire/apiCall.ts'
import { createOpenCounter } from './openCounter.ts'

/** What is kept of a request for when it comes again. */
interface First {
  /** `again`: nothing was done, or it is not known any more, so that it is carried out anew. */
  outcome: Promise<Answer | 'again'>
  settle(outcome: Answer | 'again'): void
  forget(): void
  /** The id of who sent it. */
  person: string
  isAnswered: boolean
}

interface Answer {
  status: number
  headers: OutgoingHttpHeaders
  /** `undefined` for one that is too long to be kept. */
  text: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where this is the first request of its id. */
    keptAs: First | undefined
  }
}

/** Characters of an id. */
const maxId = 128
/**
 * Requests that are kept of one person, and of all. One more takes the place of the oldest that was answered; where none
 * was, it is carried out without being kept.
 */
const keptLimits = { perKey: 256, total: 4096 } as const
/** Characters of a reply: what is made or changed is answered in a few words. */
const maxReply = 4096
/** What belongs to one connection, and what is written anew. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']

/**
 * Carries out a request once that comes twice with the same id. A browser whose connection ends before the reply sends its
 * request again by itself, a POST too, and says so to nobody: where a proxy in front was restarted, a task ran twice. The
 * second one waits for the first and gets its answer. Kept in memory, for ten minutes: another leader or a restarted server
 * does not know of it. To be called behind what judges a request, and before what changes a reply on its way.
 */
export function answerRepeatedRequests(app: FastifyInstance): void {
  const kept = new Map<string, First>()
  const counter = createOpenCounter(keptLimits)

  /** Makes room where it has to. @returns how to give the place back; `undefined` where there is none */
  function addFor(person: string): (() => void) | undefined {
    const added = counter.add(person)
    if (typeof added !== 'string') return added
    const isInTheWay = (first: First) => first.isAnswered && (added === 'total' || first.person === person)
    const oldest = [...kept.values()].find(isInTheWay)
    if (!oldest) return undefined
    oldest.forget()
    return addFor(person)
  }

  function keep(key: string, person: string): First | undefined {
    const release = addFor(person)
    if (!release) return undefined
    const { promise: outcome, resolve } = Promise.withResolvers<Answer | 'again'>()
    const forget = () => {
      clearTimeout(timer)
      // One that took too long has been forgotten, and another may be known by its key.
      if (kept.get(key) === first) kept.delete(key)
      release()
      resolve('again')
    }
    // From the beginning, and again from the reply on: browsers repeat at once, people when they have seen that nothing came.
    let timer = setTimeout(forget, requestIdMs).unref()
    const first: First = {
      outcome,
      settle(answer) {
        if (answer === 'again' || kept.get(key) !== first) return forget()
        clearTimeout(timer)
        timer = setTimeout(forget, requestIdMs).unref()
        first.isAnswered = true
        resolve(answer)
      },
      forget,
      person,
      isAnswered: false,
    }
    kept.set(key, first)
    return first
  }

  async function answerOf(request: FastifyRequest): Promise<Answer | undefined> {
    const id = idOf(request)
    const caller = id === undefined ? undefined : callerOf(request)
    if (caller === undefined) return undefined
    const content = contentOf(request)
    if (content === undefined) return undefined
    // As a hash, because addresses and ids may be long.
    const key = hashOf([caller, request.method, request.url, content, id].join(' '))
    for (let first = kept.get(key); first; first = kept.get(key)) {
      const outcome = await first.outcome
      // It may have waited for long.
      request.judgeAgain?.()
      if (outcome !== 'again') return outcome
    }
    request.keptAs = keep(key, String(request.person?.id ?? caller))
    return undefined
  }

  app.decorateRequest('keptAs', undefined)
  // A hook that replies must not go on: Fastify would call the handler, if the client has left meanwhile.
  app.addHook('preHandler', (request, reply, done) => {
    answerOf(request).then((answer) => (answer ? send(reply, answer) : done()), done)
  })
  app.addHook('onSend', async ({ keptAs }, reply, payload) => {
    if (!keptAs) return payload
    const isText = typeof payload === 'string' || payload === null || payload === undefined
    // A refusal has done nothing, and may be none the next time.
    if (!isText || reply.statusCode >= 400) keptAs.settle('again')
    else keptAs.settle({ status: reply.statusCode, headers: headersOf(reply), text: shortText(payload ?? '') })
    return payload
  })
}

/** @throws ApiError for one that is too long */
function idOf({ method, headers }: FastifyRequest): string | undefined {
  const id = headers[requestIdHeader]
  if (!id || method === 'GET' || method === 'HEAD') return undefined
  const text = String(id)
  if (text.length <= maxId) return text
  throw new ApiError(`${requestIdHeader}: ${text.length} characters, of which there may be ${maxId}`, 400)
}

/** What an id belongs to: a token may do less than its owner, and must not get what the owner was answered. */
function callerOf({ session, person }: FastifyRequest): string | undefined {
  if (session) return `session ${session.key}`
  return person?.token && `token ${person.token.id}`
}

/** A hash of the body: a program that gives all of its calls the same id must not be told that another was carried out. */
function contentOf({ body }: FastifyRequest): string | undefined {
  if (body === undefined || body === null) return ''
  // One that is read while it arrives is no call of a browser.
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined
  return hashOf(body)
}

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url')

const headersOf = (reply: FastifyReply): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(reply.getHeaders()).filter(([name]) => !ofConnection.includes(name)))

const shortText = (text: string) => (text.length <= maxReply ? text : undefined)

function send(reply: FastifyReply, { status, headers, text }: Answer): void {
  if (text === undefined) {
    reply
      .code(409)
      .send({ error: 'this request was carried out already, and its reply is not kept: load anew what it changed' })
  } else reply.code(status).headers(headers).send(text)
}
