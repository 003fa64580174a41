import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useMemo, useState } from 'react'
import { type Identifier, useDataProvider, useGetList, useRefresh } from 'react-admin'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { PlainTable } from '../../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { initialValues } from '../../../engine/form/validate.ts'
import { FieldFrame } from '../../../engine/kinds/parts/kind.tsx'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import { everyRowByName } from '../../../records/queryRows.ts'
import { monitorTypes, service, targetProblem } from '../../../schemas/service.ts'

/** Lines that are read at once: each makes a service. */
export const mostAddresses = 500

/** What was pasted, as far as it is read. */
interface ReadAddresses {
  addresses: readonly ReadAddress[]
  /** How many lines with something in them are beyond those that are read. */
  leftOut: number
}

/** A service that a line stands for. */
interface ReadAddress {
  line: number
  name: string
  type: number
  target: string
  /** Why none is made of it; absent for a good one. */
  problem?: 'unreadable' | 'known'
}

/** HTTP, ping and TCP, by what an address looks like: the first that fits. */
const types = [1, 3, 2] as const

/**
 * Reads pasted addresses, one on each line: a web address, a host with its port, or a host. Before or behind it may
 * stand a name, with a tab, a comma or a semicolon between them.
 * @param known targets that services have already
 */
export function readAddresses(text: string, known: ReadonlySet<string>): ReadAddresses {
  const seen = new Set(known)
  const lines = text
    .split(/\r?\n/)
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
    .filter(({ content }) => content !== '' && !content.startsWith('#'))
  const addresses = lines.slice(0, mostAddresses).map(({ content, line }): ReadAddress => {
    const parts = content
      .split(/[\t,;]/)
      .map((part) => part.trim())
      .filter(Boolean)
    const found = parts
      .map((target) => ({ target, type: types.find((type) => targetProblem(type, target) === undefined) }))
      .sort((one, other) => rank(one.type) - rank(other.type))[0]
    if (!found?.type) return { line, name: content.slice(0, 128), type: 0, target: content, problem: 'unreadable' }
    const { target, type } = found
    const problem = seen.has(target) ? ('known' as const) : undefined
    seen.add(target)
    const name = parts.find((part) => part !== target) ?? nameOf(target)
    return { line, name: name.slice(0, 128), type, target, ...(problem && { problem }) }
  })
  return { addresses, leftOut: lines.length - addresses.length }
}

/** A name can look like a host, too: what looks more like an address is it. */
const rank = (type: (typeof types)[number] | undefined) => (type === undefined ? types.length : types.indexOf(type))

/** An address as people call it: without its scheme, and what an empty path adds. */
const nameOf = (target: string) => target.replace(/^https?:\/\//i, '').replace(/\/$/, '')

const nothingRead: ReadAddresses = { addresses: [], leftOut: 0 }

/** Makes services of pasted addresses: shows first what would be made, and offers to take it back afterwards. */
export default function AddressesDialog({ onClose }: { onClose: () => void }) {
  const { translate, locale } = useLanguage()
  const [text, setText] = useState('')
  const { data: services } = useGetList('service', everyRowByName)
  const known = useMemo(() => new Set((services ?? []).map(({ target }) => String(target))), [services])
  const { create, takeBack, progress } = useCreateServices()
  const { addresses, leftOut } = useMemo(
    () => (progress ? nothingRead : readAddresses(text, known)),
    [text, known, progress],
  )
  const good = addresses.filter(({ problem }) => problem === undefined)

  return (
    <ActionDialog title={translate('app.addresses.title')} onClose={onClose} width={760}>
      <DialogContent dividers sx={{ display: 'grid', gap: 2 }}>
        {progress ? (
          <div>
            <p role="status" style={{ margin: '0 0 8px' }}>
              {translate(progress.isTakenBack ? 'app.addresses.taken_back' : 'app.addresses.created', {
                smart_count: progress.ids.length,
              })}
            </p>
            {progress.isBusy ? (
              <LinearProgress
                variant="determinate"
                value={(100 * progress.ids.length) / progress.total}
                aria-label={translate('app.addresses.title')}
              />
            ) : null}
            {progress.error ? (
              <Alert severity="error">
                {progress.failed ? `${progress.failed}: ` : ''}
                {translate(progress.error)}
              </Alert>
            ) : null}
          </div>
        ) : (
          <>
            <FieldFrame
              id="addresses"
              label={translate('app.addresses.label')}
              help={translate('app.addresses.help', { most: mostAddresses })}
              required
            >
              <OutlinedInput
                id="addresses"
                multiline
                minRows={5}
                maxRows={12}
                autoFocus
                value={text}
                placeholder={'https://example.com/\nmail.example.com:25\nRouter, 192.0.2.1'}
                onChange={({ target }) => setText(target.value)}
              />
            </FieldFrame>
            {leftOut > 0 ? (
              <Alert severity="warning">
                {translate('app.addresses.left_out', {
                  smart_count: leftOut,
                  count: leftOut.toLocaleString(locale),
                  most: mostAddresses,
                })}
              </Alert>
            ) : null}
            {addresses.length > 0 ? (
              <PlainTable
                headings={[
                  translate('resources.service.fields.name'),
                  translate('resources.service.fields.type'),
                  translate('resources.service.fields.target'),
                  '',
                ]}
                rows={addresses.map(({ line, name, type, target, problem }) => ({
                  key: line,
                  cells: [
                    name,
                    type ? translate(`resources.service.choices.type.${monitorTypes[type as 1 | 2 | 3]}`) : '',
                    target,
                    problem ? translate(`app.addresses.problems.${problem}`) : translate('app.addresses.new'),
                  ],
                }))}
              />
            ) : null}
          </>
        )}
      </DialogContent>
      <DialogActions>
        {progress && !progress.isBusy && !progress.isTakenBack && progress.ids.length > 0 ? (
          <Button onClick={() => void takeBack()}>{translate('app.action.undo')}</Button>
        ) : null}
        <Button onClick={onClose}>{translate(progress ? 'app.action.close' : 'ra.action.cancel')}</Button>
        {progress ? null : (
          <Button variant="contained" disabled={good.length === 0} onClick={() => void create(good)}>
            {translate('app.addresses.create', { smart_count: good.length })}
          </Button>
        )}
      </DialogActions>
    </ActionDialog>
  )
}

interface Progress {
  total: number
  /** Of those that were made. */
  ids: readonly Identifier[]
  isBusy: boolean
  isTakenBack: boolean
  /** The words of the server, or their key, and what they are about. */
  error?: string
  failed?: string
}

/** Makes services one after the other until one is refused, and takes all of them back together. */
function useCreateServices() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const [progress, setProgress] = useState<Progress>()
  const wordsOf = (error: unknown) => (error instanceof Error && error.message) || 'app.toast.unexpected'

  async function create(addresses: readonly ReadAddress[]): Promise<void> {
    const ids: Identifier[] = []
    const now = { total: addresses.length, isTakenBack: false }
    setProgress({ ...now, ids, isBusy: true })
    for (const { name, type, target } of addresses) {
      try {
        const data = { ...initialValues(service), name, type, target }
        const { data: made } = await dataProvider.create(service.name, { data })
        ids.push(made.id)
        setProgress({ ...now, ids: [...ids], isBusy: true })
      } catch (error) {
        setProgress({ ...now, ids: [...ids], isBusy: false, error: wordsOf(error), failed: target })
        refresh()
        return
      }
    }
    setProgress({ ...now, ids: [...ids], isBusy: false })
    refresh()
  }

  async function takeBack(): Promise<void> {
    if (!progress) return
    setProgress({ ...progress, isBusy: true })
    try {
      await dataProvider.deleteMany(service.name, { ids: [...progress.ids] })
      setProgress({ ...progress, isBusy: false, isTakenBack: true, error: undefined, failed: undefined })
    } catch (error) {
      setProgress({ ...progress, isBusy: false, error: wordsOf(error), failed: undefined })
    }
    refresh()
  }

  return { create, takeBack, progress }
}
