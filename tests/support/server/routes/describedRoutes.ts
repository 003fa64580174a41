import type { TestServer } from '../testServer.ts'

/** A call as `openapi.json` describes it. */
export interface DescribedRoute {
  /** In capitals. */
  method: string
  /** With `{name}` for its parameters. */
  path: string
  /** `METHOD path below /api/v1/`, as `PATCH nat/{id}`. */
  name: string
  /** What an API token needs; absent where tokens are refused. */
  scopes?: readonly string[]
  /** JSON Schema of its body. */
  body?: Record<string, unknown>
  /** JSON Schema of the reply with HTTP 200. */
  reply?: Record<string, unknown>
}

interface Operation {
  security?: { apiToken?: string[] }[]
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>
}

/** What `openapi.json` holds, as far as it is read here. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
}

/** The calls of a running server, as it describes itself. */
export async function describedRoutes({ app }: Pick<TestServer, 'app'>): Promise<DescribedRoute[]> {
  const reply = await app.inject({ url: '/api/v1/openapi.json', headers: { host: '127.0.0.1:8008' } })
  return routesIn(reply.json())
}

export function routesIn({ paths }: ApiDescription): DescribedRoute[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { requestBody, responses, security = [] }]) => ({
      method: verb.toUpperCase(),
      path,
      name: `${verb.toUpperCase()} ${path.replace('/api/v1/', '')}`,
      scopes: security.find(({ apiToken }) => apiToken)?.apiToken,
      body: requestBody?.content['application/json']?.schema,
      reply: responses['200']?.content?.['application/json']?.schema,
    })),
  )
}
