import Dialog from '@mui/material/Dialog'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { type RaRecord, useBasename, useDataProvider, useNavigate, useTranslate } from 'react-admin'
import { allows, isReadOnly, mayOn } from '../../schemas/define/access.ts'
import type { RecordPage } from '../define/defineResource.ts'
import { dialogRoot, type NamedPage, type ResourceEntry, recordPath, useIsAvailable } from '../define/page.tsx'
import { textsOf } from '../define/screen.ts'
import { useIdentity } from '../parts/identity.tsx'

const List = styled('div')(({ theme }) => ({
  maxHeight: '50vh',
  overflowY: 'auto',
  margin: 0,
  padding: theme.spacing(0.5),
  listStyle: 'none',
  '& [role=option]': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: theme.spacing(2),
    padding: theme.spacing(1, 1.5),
    borderRadius: theme.shape.borderRadius,
    cursor: 'pointer',
  },
  '& [role=option][aria-selected=true]': { background: theme.vars.palette.action.selected },
  '& small': { color: theme.vars.palette.text.secondary, whiteSpace: 'nowrap' },
  '& span': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
}))

interface CommandPaletteProps {
  resources: readonly ResourceEntry[]
  namedPages: readonly NamedPage[]
  /** What was typed before its input was there. */
  initialText: string
  onClose: () => void
}

/** Opens screens, create dialogs and records by a part of their name. */
export default function CommandPalette({ resources, namedPages, initialText, onClose }: CommandPaletteProps) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState(initialText)
  const [active, setActive] = useState(0)
  const { commands, isSearching } = useCommands(resources, namedPages, typed)
  const current = Math.min(active, commands.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    if (command.isOwnTab) window.open(command.to, '_blank', 'noopener')
    else navigate(command.to)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(commands[current])
    else if (event.key === 'ArrowDown') setActive(Math.min(current + 1, commands.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(current - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': translate('app.palette.title') } }}
      maxWidth="sm"
      fullWidth
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <OutlinedInput
        autoFocus
        fullWidth
        value={typed}
        placeholder={translate('app.palette.hint')}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': translate('app.palette.hint'),
            'aria-expanded': true,
            'aria-controls': id,
            'aria-activedescendant': commands.length > 0 ? `${id}-${current}` : undefined,
          },
        }}
      />
      <List id={id} role="listbox" aria-label={translate('app.palette.title')}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant names the active option
          <div
            key={command.to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={(item) => {
              if (index === current) item?.scrollIntoView?.({ block: 'nearest' })
            }}
            onClick={() => run(command)}
          >
            <span>{command.label}</span>
            <small>{command.group}</small>
          </div>
        ))}
      </List>
      {commands.length === 0 ? (
        <p role="status" style={{ padding: '0 20px 12px' }}>
          {translate(isSearching ? 'app.list.loading' : 'app.list.no_results')}
        </p>
      ) : null}
    </Dialog>
  )
}

interface Command {
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
function useCommands(
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
