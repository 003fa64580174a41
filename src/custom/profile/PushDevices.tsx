import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import type { z } from 'zod'
import { formatDateTime } from '../../components/format/format.ts'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { type pushDevice, pushEndpoints } from '../../schemas/endpoints/pushEndpoints.ts'
import { PlainList } from './PlainList.tsx'
import { canGetMessages, ownFingerprint, subscribe, unsubscribe } from './thisDevice.ts'
import { deviceOf } from './userAgent.ts'

type Device = z.output<typeof pushDevice>

interface PushDevicesProps {
  username: string
  /** Called when the notifiers of this person are others. */
  onChange: () => void
}

/** The devices on which somebody gets messages, this one among them. For servers that announce `wheelhouse.push`. */
export function PushDevices({ username, onChange }: PushDevicesProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['push', 'own'],
    queryFn: async () => {
      const [{ key, devices }, own] = await Promise.all([call(pushEndpoints.pushDevices), ownFingerprint()])
      return { key, devices, own }
    },
  })
  /** Devices are in the lists of notifiers as well. */
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: ['collection', 'notification'] })
    void queryClient.invalidateQueries({ queryKey: ['notification'] })
    void refetch()
    onChange()
  }
  const isOn = data?.devices.some(({ fingerprint }) => fingerprint === data.own)

  const { mutate: switchOn, isPending } = useMutation({
    mutationFn: async (key: string) => {
      const subscription = await subscribe(key)
      const { browser, system } = deviceOf(navigator.userAgent)
      const name = [username, [browser, system].filter(Boolean).join(', ')].filter(Boolean).join(' · ').slice(0, 64)
      await call(pushEndpoints.addPushDevice, { name, ...subscription })
    },
    onError: showError,
    onSuccess: () => show({ key: 'app.push.switched_on' }),
    onSettled: refresh,
  })
  return (
    <Panel
      title={translate('app.push.title')}
      hint={translate('app.push.hint')}
      action={
        data && !isOn && canGetMessages() ? (
          <Button variant="outlined" loading={isPending} onClick={() => switchOn(data.key)}>
            {translate('app.push.switch_on')}
          </Button>
        ) : null
      }
    >
      <PendingData data={data} error={error} onRetry={refetch} />
      <List>
        {data?.devices.map((device) => (
          <Entry key={device.id} device={device} isOwn={device.fingerprint === data.own} onChange={refresh} />
        ))}
      </List>
      {canGetMessages() ? null : <p>{translate('app.push.unsupported')}</p>}
    </Panel>
  )
}

interface EntryProps {
  device: Device
  /** Whether it is this browser. */
  isOwn: boolean
  onChange: () => void
}

function Entry({ device: { id, name, last_message_at: at }, isOwn, onChange }: EntryProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const test = useMutation({
    mutationFn: () => call(endpoints.testNotifier, { id }),
    onError: showError,
    onSuccess: ({ sent, code, reply }) => {
      if (sent) show({ key: 'app.notifier_dialogs.sending' })
      else showError(new Error([code || '', reply].filter(Boolean).join(' ')))
    },
    // One that its push service does not know any more is gone.
    onSettled: onChange,
  })
  const remove = useMutation({
    mutationFn: async () => {
      await call(pushEndpoints.removePushDevice, { id })
      if (isOwn) await unsubscribe()
    },
    onError: showError,
    onSuccess: () => show({ key: 'app.push.removed', args: { name } }),
    onSettled: onChange,
  })
  const time = at && formatDateTime(Date.parse(at), locale)
  return (
    <li>
      <strong>{name}</strong>
      <span>
        {[isOwn && translate('app.push.this_device'), translate(time ? 'app.push.last' : 'app.push.never', { time })]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <div>
        <Button variant="outlined" color="inherit" loading={test.isPending} onClick={() => test.mutate()}>
          {translate('resources.notification.actions.test.label')}
        </Button>
        <Button
          variant="outlined"
          color="inherit"
          loading={remove.isPending}
          aria-label={translate('app.action.delete_named', { name })}
          onClick={() => remove.mutate()}
        >
          {translate('app.action.delete')}
        </Button>
      </div>
    </li>
  )
}

const List = styled(PlainList)(({ theme }) => ({
  '& strong': { minWidth: 160, fontWeight: 600, overflowWrap: 'anywhere' },
  '& span': { flex: 1, minWidth: 200, color: theme.vars.palette.text.secondary },
  '& div': { display: 'flex', gap: theme.spacing(1) },
}))
