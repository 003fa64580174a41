import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { commandOrder, questionOrder, questionQuery, questionState } from '../inspect/question.ts'

const reading = { scopes: ['nezha:server:read'], keepsToServers: true } as const
const begun = z.object({ id: z.string() })

/** The same question to many servers. Only where `GET /setting` says `wheelhouse.inspect`. */
export const questionEndpoints = {
  askServers: endpoint('POST', 'wheelhouse/questions', { ...reading, body: questionOrder, reply: begun }),
  /** Has the shell of each server run a line. */
  commandServers: endpoint('POST', 'wheelhouse/questions/command', {
    makesRecord: true,
    scopes: ['nezha:server:exec'],
    keepsToServers: true,
    leadsTo: 'command',
    body: commandOrder,
    reply: begun,
  }),
  /**
   * The answers since the last look: for who has asked, and for people who may look into one of its servers, as far as they
   * may know them. A question ends at which nobody looks for half a minute.
   */
  question: endpoint('GET', 'wheelhouse/questions/:question', {
    ...reading,
    query: questionQuery,
    reply: questionState,
  }),
  /** Asks no further servers. */
  endQuestion: endpoint('POST', 'wheelhouse/questions/:question/end', reading),
} as const
