import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type RaRecord, useDataProvider, useGetList, useLocation } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { ActionDialog, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { WriteMeta } from '../../records/writeRecords.ts'
import { keysOf } from '../../schemas/define/values.ts'
import { silencesKey } from './silences.ts'

/** What a record is about: a server or, with `?rule=` in the address, one rule on it; a rule; a service; an alarm. */
function targetOf(entity: string, record: RaRecord, search: string): MuteTarget {
  const [id, none] = [Number(record.id), { server_id: 0, rule_id: 0, service_id: 0 }]
  if (entity === 'server')
    return { ...none, server_id: id, rule_id: Number(new URLSearchParams(search).get('rule')) || 0 }
  if (entity === 'service') return { ...none, service_id: id }
  if (entity === 'alert-rule') return { ...none, rule_id: id }
  return { ...none, server_id: Number(record.server_id), rule_id: Number(record.rule_id) }
}

/** Mutes a server, a service, a rule or an alarm for a while, and shows the mutes that it has. */
export function MuteDialog({ records, onClose }: ActionDialogProps) {
  const [record] = records
  const { entity, texts } = useScreen()
  const { search } = useLocation()
  const target = record && targetOf(entity.name, record, search)
  const ruleName = useNames('alert-rule', target?.rule_id ? [target.rule_id] : [])
  if (!record || !target) return null
  const name =
    entity.name === 'alarm'
      ? `${record.server_name}: ${record.rule_name}`
      : entity.name === 'server' && target.rule_id
        ? `${texts.nameOf(record)}: ${ruleName(target.rule_id)}`
        : texts.nameOf(record)
  return <MuteTargetDialog target={target} name={name} onClose={onClose} />
}

const hourMs = 3_600_000
const lengths = ['for_hour', 'until_tomorrow', 'until_recovered'] as const
type Length = (typeof lengths)[number]

/** What is muted: a server, a rule, one rule on a server, or a service; the other ids are 0. */
export interface MuteTarget {
  server_id: number
  rule_id: number
  service_id: number
}

/** Tomorrow, 8:00 by the clock of this browser. */
function tomorrowMorning(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 8).getTime()
}

interface MuteTargetDialogProps {
  target: MuteTarget
  /** Of what is muted, for people. */
  name: string
  onClose: () => void
}

/** Mutes a target for a while, and shows the mutes that it has. */
export function MuteTargetDialog({ target, name, onClose }: MuteTargetDialogProps) {
  const { translate, locale } = useLanguage()
  const [length, setLength] = useState<Length>('for_hour')
  const { isSending, isHeld, send } = useDialogOrder()
  const change = useChange()
  const labelId = useId()
  const now = serverNow()
  const ends: Record<Length, number | undefined> = {
    for_hour: now + hourMs,
    until_tomorrow: tomorrowMorning(now),
    until_recovered: undefined,
  }
  const time = (at = 0) => new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  const mute = () => {
    const end = ends[length]
    const data = { ...target, name, ...(end !== undefined && { ends_at: new Date(end).toISOString() }) }
    // Its end is another moment each time that it is sent.
    const meta = { orderedAs: JSON.stringify([target, length]) } satisfies WriteMeta
    const create = (dataProvider: ConsoleDataProvider) => dataProvider.create('mute', { data, meta })
    return send(() => change(create, { key: 'app.mute.muted', name }), onClose)
  }
  return (
    <ActionDialog title={translate('app.mute.title', { what: name })} onClose={isHeld ? () => {} : onClose} width={520}>
      <DialogContent dividers>
        <ActiveMutes target={target} />
        <Typography variant="body2" color="textSecondary" gutterBottom>
          {translate('app.mute.explanation')}
        </Typography>
        <FormControl>
          <FormLabel id={labelId} sx={{ marginTop: 1, fontSize: 13, fontWeight: 600 }}>
            {translate('app.mute.how_long')}
          </FormLabel>
          <RadioGroup aria-labelledby={labelId} value={length} onChange={(_event, value) => setLength(value as Length)}>
            {lengths.map((value) => (
              <FormControlLabel
                key={value}
                value={value}
                control={<Radio size="small" />}
                label={translate(`app.mute.${value}`, { time: time(ends[value]) })}
              />
            ))}
          </RadioGroup>
        </FormControl>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isHeld}>
          {translate('app.action.cancel')}
        </Button>
        <Button variant="contained" loading={isSending} onClick={() => void mute()}>
          {translate('app.mute.mute')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/** The mutes of what is about to be muted, each with the button that ends it. */
function ActiveMutes({ target }: { target: MuteTarget }) {
  const { translate, locale } = useLanguage()
  const { isSending, send } = useDialogOrder()
  const change = useChange()
  const { data = [] } = useGetList('mute', { pagination: { page: 1, perPage: 1000 } })
  const own = data.filter((mute) => keysOf(target).every((key) => (mute[key] ?? 0) === target[key]))
  if (own.length === 0) return null
  return (
    <>
      <Typography component="h3" sx={{ fontSize: 13, fontWeight: 600 }}>
        {translate('app.mute.active')}
      </Typography>
      <List>
        {own.map(({ id, name, username = '', ends_at }) => (
          <li key={id}>
            <span>
              {ends_at
                ? translate('app.mute.muted_by', { name, username, date: formatDateTime(Date.parse(ends_at), locale) })
                : translate('app.mute.muted_by_until_recovered', { name, username })}
            </span>
            <Button
              size="small"
              disabled={isSending}
              onClick={() =>
                void send(
                  () =>
                    change((dataProvider) => dataProvider.deleteMany('mute', { ids: [id] }), {
                      key: 'app.mute.unmuted',
                      name,
                    }),
                  () => {},
                )
              }
            >
              {translate('app.mute.unmute')}
            </Button>
          </li>
        ))}
      </List>
    </>
  )
}

/** Makes a change, says that it went well, and shows it everywhere. */
function useChange() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queries = useQueryClient()
  const toast = useToast()
  return async (
    change: (dataProvider: ConsoleDataProvider) => Promise<unknown>,
    done: { key: string; name: string },
  ) => {
    await change(dataProvider)
    await Promise.all([silencesKey, ['mute'], ['alarm']].map((queryKey) => queries.invalidateQueries({ queryKey })))
    toast.show({ key: done.key, args: { what: done.name } })
  }
}

const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(0.5, 0, 2),
  padding: 0,
  listStyle: 'none',
  fontSize: 14,
  overflowWrap: 'anywhere',
  '& li': { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: theme.spacing(1) },
}))
