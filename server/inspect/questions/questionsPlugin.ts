import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { questionEndpoints as endpoints } from '../../../src/schemas/endpoints/questionEndpoints.ts'
import { type QuestionOrder, questionQuery } from '../../../src/schemas/inspect/question.ts'
import { server } from '../../../src/schemas/server.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../../http/routes/route.ts'
import type { Log } from '../../log.ts'
import { bodyReader } from '../../wire/apiCall.ts'
import { readQuery } from '../orders.ts'
import { createQuestions, type Questions } from './questions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    questions: Questions
  }
}

interface QuestionsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Characters of what was asked in the audit log. */
const notedLength = 256

/** The program of a line for the shell, behind variables whose values are plain words. */
const programIn = /^(?:\w+=[^\s'"`\\$()<>;&|]*\s+)*([\w./+-]+)(?=[\s;&|<>]|$)/

/**
 * What the audit log notes of a question. Command lines may hold secrets: of those it has the program, and nothing where
 * it is not plain what that is.
 */
export function notedQuestion({ kind, text, servers }: Pick<QuestionOrder, 'kind' | 'text' | 'servers'>) {
  const program = programIn.exec(text)?.[1] ?? ''
  return {
    kind,
    ...(kind === 'command' ? { program: program.slice(0, notedLength) } : { text: text.slice(0, notedLength) }),
    count: servers.length,
  }
}

/** The same question to many servers. */
export const questionsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: QuestionsOptions) => {
    const servers = entityTable(store, server)
    const nameOf = (id: number) => servers.get(id)?.name as string | undefined
    const questions = createQuestions({ inspector: app.inspector, nameOf, log, now })
    app.decorate('questions', questions)
    app.addHook('preClose', async () => questions.stop())

    function ask({ person, session }: Pick<FastifyRequest, 'person' | 'session'>, order: QuestionOrder) {
      return questions.ask(() => app.auth.current({ person, session }).person, order)
    }

    function begin(request: FastifyRequest, order: QuestionOrder): { id: string } {
      const { id, names } = ask(request, order)
      addAuditDetails(request, {
        target: auditTarget('server', order.servers),
        detail: { ...auditNames(names), ...notedQuestion(order) },
      })
      return { id }
    }

    route(
      app,
      { name: 'askServers', audit: 'server.ask' },
      endpoints.askServers,
      bodyReader(endpoints.askServers),
      (request) => begin(request, request.body),
    )
    route(
      app,
      { name: 'commandServers', audit: 'server.command' },
      endpoints.commandServers,
      bodyReader(endpoints.commandServers),
      (request) => begin(request, { ...request.body, kind: 'command' }),
    )
    route(app, 'question', endpoints.question, ({ params, query, person }) =>
      questions.look(person, params.question, readQuery(questionQuery, query).after),
    )
    route(app, 'endQuestion', endpoints.endQuestion, ({ params, person }) => questions.end(person, params.question))
  },
  { name: 'questions', dependencies: ['inspect', 'auth', 'audit'] },
)
