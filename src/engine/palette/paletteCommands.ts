import { useEffect, useState } from 'react'
import { type RaRecord, useBasename, useDataProvider, useTranslate } from 'react-admin'
import { allows, isReadOnly, mayOn } from '../../schemas/define/access.ts'
import { useIsAvailable } from '../define/announcedFeatures.ts'
import type { RecordPage } from '../define/defineResource.ts'
import type { NamedPage } from '../define/namedPage.ts'
import { dialogRoot, type ResourceEntry, recordPath } from '../define/resourceEntry.ts'
import { textsOf } from '../define/texts.ts'
import { useIdentity } from '../parts/identity.tsx'

export interface Command {
  to: string
  label: string
  /** What kind of target it is, shown beside the label. */
  group: string
  /** Opens in a new browser tab. */
  isOwnTab?: boolean
}

const recordsShown = 5

/**
 * The screens, create dialogs, records that wait for somebody, and records whose names match what was typed, as far as
 * this person may use them.
 * @returns with them whether records are still being looked for
 */
export function useCommands(
  resources: readonly ResourceEntry[],
  namedPages: readonly NamedPage[],
  typed: string,
): { commands: Command[]; isSearching: boolean } {
  const basename = useBasename()
  const translate = useTranslate()
  const { identity } = useIdentity()
  const role = identity?.role as number | undefined
  const isAvailable = useIsAvailable()
  const allowed = resources.filter(isAvailable)
  const { found, isSearching } = useRecords(allowed, typed)
  const waiting = useWaiting(allowed)

  const screens = allowed.map((resource) => ({
    to: resource.path ? `${basename}/${resource.path}` : basename,
    label: textsOf(translate, resource).plural,
    group: translate('app.palette.screen'),
  }))
  const pages = namedPages.filter(isAvailable).map(({ path, labelKey }) => ({
    to: `${basename}/${path}`,
    label: translate(labelKey),
    group: translate('app.palette.screen'),
  }))
  const creations = allowed
    .filter(({ entity }) => entity.api.verbs.includes('create') && allows(role, entity.access.create))
    .map((resource) => ({
      to: `${basename}/${dialogRoot(resource)}/create`,
      label: translate('app.form.create_title', { entity: textsOf(translate, resource).singular }),
      group: translate('app.action.create'),
    }))
  const waits = waiting.map(({ resource, address, record }) => {
    const texts = textsOf(translate, resource)
    return {
      to: `${basename}/${dialogRoot(resource)}/${record.id}/${address}`,
      label: `${texts.action(address, 'label')}: ${texts.nameOf(record)}`,
      group: `${texts.singular} #${record.id}`,
    }
  })
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ label }: Command) => terms.every((term) => label.toLowerCase().includes(term))
  const records = found.flatMap(({ resource, pages, record }) => {
    const texts = textsOf(translate, resource)
    const name = texts.nameOf(record)
    const group = `${texts.singular} #${record.id}`
    const own = (mayOn(record, 'act') ? pages : []).map(({ path, labelKey }) => ({
      to: `${basename}/${path}/${record.id}`,
      label: translate(labelKey, { name }),
      group,
      isOwnTab: true,
    }))
    const opened = { to: `${basename}/${recordPath(resource, record.id)}`, label: name, group }
    return isReadOnly(record) && !resource.overview ? own : [opened, ...own]
  })
  const commands = [
    ...[...screens, ...pages, ...creations, ...waits].filter(matches),
    // Until the answer is there, what was found for the text before it: Enter must not open another record than is typed.
    ...(isSearching ? records.filter(matches) : records),
  ]
  return { commands, isSearching }
}

interface Waiting {
  resource: ResourceEntry
  /** Of the dialog that deals with it. */
  address: string
  record: RaRecord
}

/** The latest records that wait for somebody when the palette is opened; a list that fails to load is left out. */
function useWaiting(resources: readonly ResourceEntry[]): Waiting[] {
  const dataProvider = useDataProvider()
  const [found, setFound] = useState<Waiting[]>([])
  const names = resources.flatMap(({ entity, waiting }) => (waiting ? [entity.name] : [])).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` stands for the definitions, which never change
  useEffect(() => {
    let isCurrent = true
    const search = async (resource: ResourceEntry): Promise<Waiting[]> => {
      const { entity, waiting } = resource
      if (!waiting) return []
      const { data } = await dataProvider.getList(entity.name, {
        filter: waiting.filter,
        pagination: { page: 1, perPage: recordsShown },
        sort: { field: 'id', order: 'DESC' },
      })
      return data.map((record) => ({ resource, address: waiting.address, record }))
    }
    Promise.all(resources.map((resource) => search(resource).catch(() => []))).then((lists) => {
      if (isCurrent) setFound(lists.flat())
    })
    return () => {
      isCurrent = false
    }
  }, [names, dataProvider])
  return found
}

interface Found {
  resource: ResourceEntry
  /** The hand-made pages about it. */
  pages: readonly RecordPage[]
  record: RaRecord
}

/** Records of whole lists that can be opened; a list that fails to load is left out. */
function useRecords(resources: readonly ResourceEntry[], typed: string): { found: Found[]; isSearching: boolean } {
  const dataProvider = useDataProvider()
  const [{ found, text }, setAnswer] = useState<{ found: Found[]; text: string }>({ found: [], text: '' })
  const names = resources.map(({ entity }) => entity.name).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` stands for the definitions, which never change
  useEffect(() => {
    let isCurrent = true
    const q = typed.trim()
    const searched = q
      ? resources.filter(({ entity }) => entity.api.paging === 'whole' && entity.api.verbs.includes('update'))
      : []
    const search = async (resource: ResourceEntry): Promise<Found[]> => {
      const { data } = await dataProvider.getList(resource.entity.name, {
        filter: { [resource.entity.nameField]: q },
        pagination: { page: 1, perPage: recordsShown },
        sort: { field: resource.entity.nameField, order: 'ASC' },
      })
      if (data.length === 0) return []
      const { default: definition } = await resource.load()
      return data.map((record) => ({ resource, pages: definition.pages, record }))
    }
    Promise.all(searched.map((resource) => search(resource).catch(() => []))).then((lists) => {
      if (isCurrent) setAnswer({ found: lists.flat(), text: typed })
    })
    return () => {
      isCurrent = false
    }
  }, [typed, names, dataProvider])
  return { found, isSearching: text !== typed }
}
