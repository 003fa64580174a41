import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { column, defineResource, derived, field } from '../../../src/resources/engine/define/defineResource.ts'
import { validateDefinitions } from '../../../src/resources/engine/define/validateDefinitions.ts'
import { resources } from '../../../src/resources/index.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { name, refs } from '../../../src/schemas/define/fields.ts'
import { entities } from '../../../src/schemas/index.ts'
import { withMaintenance } from '../../support/maintenance/index.ts'
import { root } from '../../support/root.ts'

const device = defineEntity({ name: 'device', form: z.object({ name: name(), ports: z.int() }) })
const rack = defineEntity({ name: 'rack', form: z.object({ name: name(), devices: refs('device') }) })
const guest = defineEntity({ name: 'guest', form: z.object({ name: name() }), api: { paging: 'window' } })
const devices = defineResource(device, { columns: ['id', 'name'] })
const Cell = () => null

/** What the check says, a line for each finding. */
function findings(...registry: Parameters<typeof validateDefinitions>): string[] {
  try {
    validateDefinitions(...registry)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('The check at the start', () => {
  it("finds nothing to say about the console's own entities, and about the worked example", () => {
    expect(findings(entities, resources)).toEqual([])
    expect(findings(withMaintenance.entities, withMaintenance.resources)).toEqual([])
  })

  it('lets a definition draw what is no field, and reach into one', () => {
    const host = defineEntity({
      name: 'host',
      form: z.object({ name: name() }),
      computed: z.object({ os: z.looseObject({}) }),
    })
    const columns = [derived('status', Cell), column('os.version', Cell)] as const
    expect(findings({ host }, [defineResource(host, { columns })])).toEqual([])
  })

  it.each<[string, string[], string[]]>([
    [
      'an entity under another name',
      findings({ machine: device }, []),
      ['src/schemas: "machine" is listed in index.ts under another name than its own, "device".'],
    ],
    [
      'a reference that leads nowhere',
      findings({ rack }, []),
      ['src/schemas: "rack", field "devices" refers to "device", which src/schemas/index.ts does not list.'],
    ],
    [
      'a screen of an entity that is not listed',
      findings({}, [devices]),
      ['src/resources: "device" shows an entity that src/schemas/index.ts does not list.'],
    ],
    [
      'filters on a list that the server pages',
      findings({ guest }, [defineResource(guest, { columns: ['name'], filters: ['name'] })]),
      [
        'src/resources: "guest" declares filters, but its list is paged by the server, which cannot filter. Remove "filters".',
      ],
    ],
    [
      'a column that is no field',
      // The compiler refuses such a name first; the check is for what got past it.
      findings({ device }, [defineResource(device, { columns: ['nmae' as 'name'] })]),
      ['src/resources: "device", column "nmae" is no field of the schema.'],
    ],
    [
      'a filter that is no field',
      findings({ device }, [defineResource(device, { columns: [], filters: ['nmae' as 'name'] })]),
      ['src/resources: "device", filter "nmae" is no field of the schema.'],
    ],
    [
      'an input for what nobody can edit, and one that stands twice',
      findings({ device }, [defineResource(device, { columns: [], form: ['id' as 'name', 'name', field('name')] })]),
      [
        'src/resources: "device", form field "id" is not editable: it is not in the schema\'s form.',
        ...Array(2).fill('src/resources: "device", form field "name" stands in the form twice.'),
      ],
    ],
    [
      'two screens at one address',
      findings({ device, guest }, [devices, defineResource(guest, { columns: [], path: 'device' })]),
      ['device', 'guest'].map((one) => `src/resources: "${one}" shares its address "device" with another definition.`),
    ],
    [
      'a tab of nothing',
      findings({ device }, [defineResource(device, { columns: [], menu: { tabOf: 'rack' } })]),
      ['src/resources: "device" is a tab of "rack", which no definition shows.'],
    ],
  ])('names file and field of %s', (_, found, expected) => {
    expect(found).toEqual(expected)
  })

  it('tells all that it finds at once', () => {
    expect(findings({ rack, machine: device }, [devices]).length).toBeGreaterThan(2)
  })
})

describe('No definition is forgotten', () => {
  it('src/resources/index.ts shows every file that has one', () => {
    const index = readFileSync(join(root, 'src/resources/index.ts'), 'utf8')
    const defining = globSync('src/resources/*.ts', { cwd: root }).filter((file) =>
      readFileSync(join(root, file), 'utf8').includes('export default defineResource('),
    )
    const forgotten = defining.filter((file) => !index.includes(`from './${basename(file)}'`))
    expect(forgotten).toEqual([])
    expect(resources).toHaveLength(defining.length)
  })
})
