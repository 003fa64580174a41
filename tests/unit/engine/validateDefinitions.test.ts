import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { column, defineResource, derived, type Resource } from '../../../src/engine/define/defineResource.ts'
import { resource } from '../../../src/engine/define/page.tsx'
import { validateDefinitions } from '../../../src/engine/define/validateDefinitions.ts'
import { resources } from '../../../src/resources/index.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { clearSecrets, name, refs, secret } from '../../../src/schemas/define/fields.ts'
import { entities } from '../../../src/schemas/index.ts'
import { withDrills } from '../../support/drill/index.ts'
import { root } from '../../support/root.ts'

const device = defineEntity({ name: 'device', form: z.object({ name: name(), ports: z.int() }) })
const rack = defineEntity({ name: 'rack', form: z.object({ name: name(), devices: refs('device') }) })
const visitor = defineEntity({ name: 'visitor', form: z.object({ name: name() }), api: { paging: 'window' } })
const entryOf = (definition: Resource, options: Parameters<typeof resource>[2] = {}) =>
  resource(definition.entity, async () => ({ default: definition }), options)
const devices = entryOf(defineResource(device, { columns: ['id', 'name'] }))
const Cell = () => null

/** The error's lines, one for each finding. */
async function findings(...registry: Parameters<typeof validateDefinitions>): Promise<string[]> {
  try {
    await validateDefinitions(...registry)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('The validation at the start', () => {
  it("accepts the console's own entities and the worked example of the guide", async () => {
    expect(await findings(entities, resources)).toEqual([])
    expect(await findings(withDrills.entities, withDrills.resources)).toEqual([])
  })

  it('accepts a column that is no field, and a dotted source', async () => {
    const host = defineEntity({
      name: 'host',
      form: z.object({ name: name() }),
      computed: z.object({ os: z.looseObject({}) }),
    })
    const columns = [derived('status', { Cell }), column('os.version', { Cell })] as const
    expect(await findings({ host }, [entryOf(defineResource(host, { columns }))])).toEqual([])
  })

  it.each<[string, Promise<string[]>, string[]]>([
    [
      'an entity under another name',
      findings({ machine: device }, []),
      ['src/schemas: "machine" is listed in index.ts under another name than its own, "device".'],
    ],
    [
      'a reference to an unknown entity',
      findings({ rack }, []),
      ['src/schemas: "rack", field "devices" refers to "device", which src/schemas/index.ts does not list.'],
    ],
    [
      'a secret that may be empty and that no save could take away',
      findings(
        { door: defineEntity({ name: 'door', form: z.object({ name: name(), code: secret().optional() }) }) },
        [],
      ),
      [
        `src/schemas: "door" wants clear_secrets: clearSecrets('code') in its form, for the secrets that may be empty and that an update keeps.`,
      ],
    ],
    [
      'a secret that could be taken away and is needed',
      findings(
        {
          door: defineEntity({
            name: 'door',
            form: z.object({ name: name(), code: secret().min(1), clear_secrets: clearSecrets('code') }),
          }),
        },
        [],
      ),
      [
        'src/schemas: "door" wants no clear_secrets in its form, for the secrets that may be empty and that an update keeps.',
      ],
    ],
    [
      'a screen of an entity that is not listed',
      findings({}, [devices]),
      ['src/resources: "device" shows an entity that src/schemas/index.ts does not list.'],
    ],
    [
      'a definition that is listed as another',
      findings({ device, visitor }, [resource(visitor, devices.load)]),
      ['src/resources: "device" is listed in index.ts as "visitor".'],
    ],
    [
      'filters on a list that the server pages',
      findings({ visitor }, [entryOf(defineResource(visitor, { columns: ['name'], filters: ['name'] }))]),
      [
        'src/resources: "visitor", filter "name" is not among the "filters" of the schema, by which the server filters.',
      ],
    ],
    [
      'a column that is no field',
      // The compiler refuses such a name first; this is for what gets past it.
      findings({ device }, [entryOf(defineResource(device, { columns: ['nmae' as 'name'] }))]),
      ['src/resources: "device", column "nmae" is no field of the schema.'],
    ],
    [
      'a filter that is no field',
      findings({ device }, [entryOf(defineResource(device, { columns: [], filters: ['nmae' as 'name'] }))]),
      ['src/resources: "device", filter "nmae" is no field of the schema.'],
    ],
    [
      'an input for a computed field, and one that is there twice',
      findings({ device }, [entryOf(defineResource(device, { columns: [], form: ['id' as 'name', 'name', 'name'] }))]),
      [
        'src/resources: "device", form field "id" is not editable: it is not in the schema\'s form.',
        ...Array(2).fill('src/resources: "device", form field "name" stands in the form twice.'),
      ],
    ],
    [
      'two screens at one address',
      findings({ device, visitor }, [devices, entryOf(defineResource(visitor, { columns: [] }), { path: 'device' })]),
      ['device', 'visitor'].map(
        (one) => `src/resources: "${one}" shares its address "device" with another definition.`,
      ),
    ],
    [
      'a tab of an unknown section',
      findings({ device }, [entryOf(defineResource(device, { columns: [] }), { menu: { tabOf: 'rack' } })]),
      ['src/resources: "device" is a tab of "rack", which no definition shows.'],
    ],
  ])('names file and field of %s', async (_, found, expected) => {
    expect(await found).toEqual(expected)
  })

  it('reports all findings at once', async () => {
    expect((await findings({ rack, machine: device }, [devices])).length).toBeGreaterThan(2)
  })
})

describe('The list of definitions', () => {
  it('in src/resources/index.ts has every file that exports one', () => {
    const index = readFileSync(join(root, 'src/resources/index.ts'), 'utf8')
    const defining = globSync('src/resources/*/index.{ts,tsx}', { cwd: root }).filter((file) =>
      readFileSync(join(root, file), 'utf8').includes('export default defineResource('),
    )
    const forgotten = defining.filter(
      (file) => !index.includes(`import('./${basename(dirname(file))}/${basename(file)}')`),
    )
    expect(forgotten).toEqual([])
    expect(resources).toHaveLength(defining.length)
  })
})
