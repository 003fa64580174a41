import fastify, { type FastifyInstance, type FastifySchema, type HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { Rule } from '../../../src/schemas/define/access.ts'
import { choicesText, type JsonSchema, jsonSchemaOf } from '../../../src/schemas/define/describe.ts'
import type { Endpoint } from '../../../src/schemas/define/endpoint.ts'
import type { FieldFacts } from '../../../src/schemas/define/fields.ts'
import { fieldsIn, isObject, type Values } from '../../../src/schemas/define/values.ts'
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'
import { shareBytes } from '../../wire/sharedBytes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Describes this route for `openapi.json`, when somebody reads it. Default: the route is not in it. */
    describe?: () => RouteDescription
  }
}

/** The description of a route in `openapi.json`. It validates nothing: that is up to the handlers. */
interface RouteDescription {
  summary: string
  tag: string
  access: Rule
  /** See `Endpoint`: which API tokens may call. */
  tokens?: Pick<Endpoint, 'scopes' | 'keepsToServers'>
  /** See `Endpoint`: before what people are asked again who they are. */
  leadsTo?: Endpoint['leadsTo']
  params?: Values
  query?: Values
  body?: Values
  /** Schema of `data` on success. Default: the reply has no data. */
  data?: Values
  /** See `Endpoint`: what a download sends. */
  sends?: Endpoint['sends']
}

const [session, apiToken] = ['session', 'apiToken'] as const
const failure = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }

/**
 * Routes neither validate nor serialize by schema. Without these, Fastify loads its own compilers at every start, which
 * takes a tenth of it.
 */
export const noCompilers = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('Routes have no `schema`: handlers check bodies, and `config.describe` describes them.')
}

interface Described {
  method: HTTPMethods | HTTPMethods[]
  url: string
  describe(): RouteDescription
}

/** Serves `GET /api/v1/openapi.json`, which describes the routes that are registered after this call. */
export function registerOpenapi(app: FastifyInstance, version: string): void {
  const described: Described[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.describe && method !== 'HEAD') described.push({ method, url, describe: config.describe })
  })
  let document: Promise<Buffer> | undefined
  app.get('/api/v1/openapi.json', async (_request, reply) => {
    document ??= createDocument(described, version).then((description) => shareBytes(JSON.stringify(description)))
    return reply.type('application/json; charset=utf-8').send(await document)
  })
}

/** Has the library describe the routes, on an app of its own: most servers are never asked. */
async function createDocument(described: readonly Described[], version: string): Promise<unknown> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify({ schemaController: noCompilers, exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Wheelhouse',
        description:
          `Every reply is an envelope; a failure is an \`error\` and usually travels with HTTP 200. Calls other than GET ` +
          `need the header ${csrfHeader} with the value of the cookie ${cookies.csrf}, unless they come with an API token.`,
        version,
      },
      components: {
        securitySchemes: {
          [session]: { type: 'apiKey', in: 'cookie', name: cookies.session },
          [apiToken]: { type: 'http', scheme: 'bearer', bearerFormat: 'nzp_…' },
        },
      },
    },
  })
  for (const { method, url, describe } of described) {
    app.route({ method, url, schema: schemaOf(describe()), handler: () => undefined })
  }
  await app.ready()
  return app.swagger()
}

function schemaOf(route: RouteDescription): FastifySchema {
  const { summary, tag, access, tokens = {}, leadsTo, params, query, body, data, sends } = route
  const scopes = tokens.scopes && [...tokens.scopes]
  return {
    summary,
    description: `${describeTokens(tokens)}${leadsTo ? ' Asks people again who they are when their last proof is old.' : ''}`,
    tags: [tag],
    security: [
      // An empty requirement: it may be called without any.
      ...(access === 'anyone' || access === 'visitor' ? [{}] : [{ [session]: [] }]),
      ...(scopes ? [{ [apiToken]: scopes }] : []),
    ],
    ...(params && { params: publicSchema(params) }),
    ...(query && { querystring: publicSchema(query) }),
    ...(body && { body: publicSchema(body) }),
    response: {
      200: {
        description: 'Success, or a failure in words',
        ...(sends ? download(sends) : reply(data && publicSchema(data))),
      },
    },
  } as FastifySchema
}

/** The description of a call outside CRUD. @param name its name in `endpoints` */
export function describeCall(name: string, endpoint: Endpoint): RouteDescription {
  return {
    summary: name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    tag: endpoint.path.split('/', 1)[0] as string,
    access: endpoint.access,
    tokens: endpoint,
    leadsTo: endpoint.leadsTo,
    params: endpoint.params && schemaFor(endpoint.params),
    query: endpoint.query && schemaFor(endpoint.query),
    body: endpoint.body && schemaFor(endpoint.body),
    data: endpoint.reply && schemaFor(endpoint.reply),
    sends: endpoint.sends,
  }
}

/** Which API tokens may call, as a sentence. */
function describeTokens({ scopes, keepsToServers }: Pick<Endpoint, 'scopes' | 'keepsToServers'>): string {
  if (!scopes) return 'Not for API tokens.'
  const limited = keepsToServers ? '' : '; a token that is limited to servers is refused'
  return `API token with ${scopes.map((scope) => `\`${scope}\``).join(', ')}${limited}.`
}

/** A schema as OpenAPI 3.1 embeds it. */
export function schemaFor(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = jsonSchemaOf(schema)
  return json
}

/** The ids of a batch call. */
export const idList = z.array(z.int().min(0))

function download(types: readonly string[]): Values {
  const contents = Object.fromEntries(types.map((type) => [type, { schema: {} }]))
  return { content: { 'application/json': { schema: failure }, ...contents } }
}

function reply(data: Values | undefined): Values {
  const done = {
    type: 'object',
    required: ['success'],
    properties: { success: { const: true }, ...(data && { data }) },
  }
  return { anyOf: [done, failure] }
}

/** What becomes of each fact that this project adds to JSON Schema: only some are words of JSON Schema themselves. */
const isStandard: Readonly<Record<keyof FieldFacts, boolean>> = {
  kind: false,
  to: false,
  choices: false,
  concealedBy: false,
  newer: false,
  announced: false,
  secrets: false,
  leftOut: false,
  wireName: false,
  recorded: false,
  transient: false,
  unattended: false,
  mentions: false,
  unknown: false,
  maxProperties: true,
  maxLength: true,
  properties: true,
}

/**
 * A schema as `openapi.json` and the tools of language models show it: in the words of JSON Schema only. Choices become
 * `enum`, with what the codes mean as the description. What zod adds and the server has no rule for is left out: the
 * bounds of safe integers, and the pattern of a date and time beside its format.
 */
function publicSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([word, value]) => isPublic(word, value, schema))
  return {
    ...Object.fromEntries(kept.map(([word, value]) => [word, publicValue(word, value)])),
    ...lengthOf(schema),
    ...choicesOf(schema),
  }
}

function isPublic(word: string, value: unknown, { type, format }: JsonSchema): boolean {
  if (word === 'minimum' || word === 'maximum') return Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER
  if (word === 'pattern') return format !== 'date-time'
  if (word === 'maxLength') return type === 'string'
  return isStandard[word as keyof FieldFacts] ?? true
}

/** The words whose values are schemas by name, schemas in a list, or a schema. */
const byName = new Set(['properties', 'patternProperties', '$defs'])
const inList = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const single = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

function publicValue(word: string, value: unknown): unknown {
  if (byName.has(word)) {
    return Object.fromEntries(
      Object.entries(fieldsIn(value)).map(([name, schema]) => [name, publicSchema(fieldsIn(schema))]),
    )
  }
  if (inList.has(word) && Array.isArray(value)) return value.map((schema) => publicSchema(fieldsIn(schema)))
  return single.has(word) && isObject(value) ? publicSchema(value) : value
}

/** Codes that are words stand in the schema already, and say what they mean. */
function choicesOf({ choices, enum: words }: JsonSchema): JsonSchema {
  return choices && !words ? { enum: Object.keys(choices).map(Number), description: choicesText(choices) } : {}
}

/** How long a value may be as JSON, which JSON Schema has no word for. */
const lengthOf = ({ type, maxLength }: JsonSchema): JsonSchema =>
  maxLength !== undefined && type !== 'string' ? { description: `At most ${maxLength} characters as JSON` } : {}
