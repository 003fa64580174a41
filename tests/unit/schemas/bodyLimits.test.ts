import { describe, expect, it } from 'vitest'
import { schemaFor } from '../../../server/http/routes/openapi.ts'
import { maxFileBytes } from '../../../src/domain/configuration/readConfiguration.ts'
import { bodyLimits } from '../../../src/schemas/define/endpoint.ts'
import { checkEndpoints } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import { configurationEndpoints } from '../../../src/schemas/endpoints/configurationEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { entities } from '../../../src/schemas/index.ts'
import { drill } from '../../support/drill/src/schemas/drill.ts'

type Json = Record<string, unknown>

/** Bytes of the longest ids and names of members in practice. */
const idBytes = 8

/** The bytes of the largest JSON that a schema allows, as far as it names limits; text in a script of three bytes. */
function largestJson(schema: Json): number {
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as Json[] | undefined
  if (variants) return Math.max(...variants.map(largestJson))
  if (schema.type === 'string') return 2 + 3 * Number(schema.maxLength ?? 0)
  if (schema.type === 'array') return 2 + Number(schema.maxItems ?? 0) * (1 + largestJson((schema.items as Json) ?? {}))
  if (schema.type === 'object') {
    const properties = Object.entries((schema.properties as Record<string, Json>) ?? {})
    const members = properties.map(([name, property]) => name.length + 4 + largestJson(property))
    const entries =
      Number(schema.maxProperties ?? 0) * (idBytes + 4 + largestJson((schema.additionalProperties as Json) || {}))
    return 2 + entries + members.reduce((sum, bytes) => sum + bytes, 0)
  }
  return idBytes
}

describe('the body limit of every form has room for the longest text and list of each field', () => {
  it.each([...Object.values(entities), drill].map((entity) => [entity.name, entity] as const))(
    '%s',
    (_, { form, api }) => {
      expect(largestJson(schemaFor(form)), 'give the entity a larger api.bodyLimit').toBeLessThanOrEqual(api.bodyLimit)
    },
  )

  it.each(
    Object.entries({ ...endpoints, ...checkEndpoints, ...configurationEndpoints }).flatMap(
      ([name, { body, bodyLimit }]) =>
        // A whole file: no limits of single fields add up to its length.
        body && bodyLimit !== bodyLimits.configuration ? [[name, body, bodyLimit] as const] : [],
    ),
  )('%s', (_, body, bodyLimit) => {
    expect(largestJson(schemaFor(body))).toBeLessThanOrEqual(bodyLimit)
  })

  it('what the longest configuration file changes, with the values from before', () => {
    expect(bodyLimits.configuration).toBeGreaterThanOrEqual(4 * maxFileBytes)
  })
})
