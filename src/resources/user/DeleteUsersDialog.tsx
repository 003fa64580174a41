import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { type RaRecord, useDataProvider, useGetList, useRefresh, useTranslate } from 'react-admin'
import type { ServerRow } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog, RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import { userRecordEndpoints } from '../../schemas/endpoints/peopleEndpoints.ts'

type Counts = Readonly<Record<string, number>>

/** Asks what becomes of the records of users before they are deleted: they are deleted too, or moved to somebody. */
export default function DeleteUsersDialog({ records: users, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { identity } = useIdentity()
  const refresh = useRefresh()
  const toast = useToast()
  const ids = users.map(({ id }) => Number(id))
  const [choice, setChoice] = useState<'move' | 'delete'>('move')
  const [chosen, setChosen] = useState<number>()
  const [typedName, setTypedName] = useState('')
  const { isSending, isHeld, send } = useDialogOrder()
  const to = chosen ?? Number(identity?.id)
  const {
    data: counts,
    error,
    refetch,
  } = useQuery({
    queryKey: ['user', 'records', ids],
    queryFn: async () => sumOf(await Promise.all(ids.map((id) => call(userRecordEndpoints.userRecords, { id })))),
  })
  const what = texts.what(users)
  const ownsNothing = counts !== undefined && Object.keys(counts).length === 0
  const { data: servers = [] } = useGetList<ServerRow>('server', everything('id'))
  const ownMachine = servers.find(({ runs_server, owner }) => runs_server && owner && ids.includes(owner.id))
  const movesOwnMachine = ownMachine !== undefined && !ownsNothing && choice === 'move'
  const isUnnamed = movesOwnMachine && typedName.trim() !== ownMachine.name.trim()

  const remove = async () => {
    const records = ownsNothing ? 'delete' : choice
    await call(userRecordEndpoints.deleteUsers, { ids, records, ...(records === 'move' && { to }) })
    toast.show({ key: 'app.toast.deleted', args: { what } })
    refresh()
  }

  return (
    <ActionDialog
      title={translate('app.confirm.delete_title', { what })}
      width={520}
      onClose={isHeld ? () => {} : onClose}
    >
      <DialogContent dividers aria-busy={!counts && !error}>
        {users.length > 1 ? (
          <ul
            style={{ margin: '0 0 12px', paddingLeft: 20, overflowWrap: 'anywhere', maxHeight: 160, overflow: 'auto' }}
          >
            {users.map((user) => (
              <li key={user.id}>{texts.nameOf(user)}</li>
            ))}
          </ul>
        ) : null}
        <Typography>{translate('app.confirm.irreversible')}</Typography>
        {error ? <RetryAlert error={error} onRetry={refetch} sx={{ marginTop: 2 }} /> : null}
        {!counts && !error ? <CircularProgress size={24} aria-label={translate('app.list.loading')} /> : null}
        {ownsNothing ? (
          <Typography sx={{ marginTop: 1 }}>{translate('resources.user.values.owns_nothing')}</Typography>
        ) : null}
        {counts && !ownsNothing ? (
          <OwnedRecords counts={counts} choice={choice} onChoose={setChoice}>
            <Receiver deleted={ids} value={to} onChange={setChosen} disabled={choice !== 'move'} />
          </OwnedRecords>
        ) : null}
        {counts && movesOwnMachine ? (
          <OwnMachineName name={ownMachine.name} value={typedName} onChange={setTypedName} />
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isHeld} autoFocus sx={{ flexShrink: 0 }}>
          {translate('app.action.cancel')}
        </Button>
        <Button
          color="error"
          variant="contained"
          loading={isSending}
          disabled={!counts || isUnnamed || (!ownsNothing && choice === 'move' && !to)}
          onClick={() => void send(remove, onClose)}
          sx={{ minWidth: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
        >
          {translate('app.confirm.delete_button', { what })}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/** All records of an entity, in one list. */
const everything = (field: string) => ({
  pagination: { page: 1, perPage: 10_000 },
  sort: { field, order: 'ASC' } as const,
})

function sumOf(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {}
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

interface OwnedRecordsProps {
  counts: Counts
  choice: 'move' | 'delete'
  onChoose: (choice: 'move' | 'delete') => void
  /** To whom they are moved. */
  children: ReactNode
}

function OwnedRecords({ counts, choice, onChoose, children }: OwnedRecordsProps) {
  const translate = useTranslate()
  const id = useId()
  return (
    <>
      <FormLabel id={id} sx={{ display: 'block', marginTop: 2 }}>
        {translate('resources.user.values.owned_records')}
      </FormLabel>
      <ul style={{ margin: '4px 0', paddingLeft: 20 }}>
        {Object.entries(counts).map(([entity, count]) => (
          <li key={entity}>{translate(`resources.${entity}.counted`, { smart_count: count })}</li>
        ))}
      </ul>
      <RadioGroup aria-labelledby={id} value={choice} onChange={(_, value) => onChoose(value as 'move' | 'delete')}>
        <FormControlLabel
          value="move"
          control={<Radio size="small" />}
          label={translate('resources.user.values.move_records')}
        />
        {children}
        <FormControlLabel
          value="delete"
          control={<Radio size="small" />}
          label={translate('resources.user.values.delete_records')}
        />
      </RadioGroup>
      {choice === 'move' ? (
        <Alert severity="info" sx={{ marginTop: 1 }}>
          {translate('resources.user.values.move_note')}
        </Alert>
      ) : null}
    </>
  )
}

interface ReceiverProps {
  deleted: readonly number[]
  value: number
  onChange: (id: number) => void
  disabled: boolean
}

function Receiver({ deleted, value, onChange, disabled }: ReceiverProps) {
  const translate = useTranslate()
  const { data = [] } = useGetList<RaRecord & { username: string }>('user', everything('username'))
  const others = data.filter(({ id }) => !deleted.includes(Number(id)))
  return (
    <TextField
      select
      size="small"
      label={translate('resources.user.values.receiver')}
      value={others.some(({ id }) => id === value) ? value : ''}
      onChange={(event) => onChange(Number(event.target.value))}
      disabled={disabled}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ margin: '4px 0 4px 30px', maxWidth: 'min(320px, calc(100% - 30px))' }}
    >
      {others.map(({ id, username }) => (
        <option key={id} value={id}>
          {username}
        </option>
      ))}
    </TextField>
  )
}

interface OwnMachineNameProps {
  /** What has to be typed. */
  name: string
  value: string
  onChange: (typed: string) => void
}

/** The new owner of the machine on which the server runs can do everything: its name is typed before that. */
function OwnMachineName({ name, value, onChange }: OwnMachineNameProps) {
  const translate = useTranslate()
  return (
    <>
      <Alert severity="warning" sx={{ marginBlock: 1 }}>
        {translate('app.transfers.own_machine', { name })}
      </Alert>
      <TextField
        size="small"
        fullWidth
        label={translate('app.transfers.own_name')}
        helperText={translate('app.transfers.own_name_help', { name })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}
