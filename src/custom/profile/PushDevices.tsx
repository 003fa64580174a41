import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import type { z } from 'zod'
import { formatDateTime } from '../../components/format/format.ts'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { type pushDevice, pushEndpoints } from '../../schemas/endpoints/pushEndpoints.ts'
import { registerServiceWorker } from '../../site/serviceWorker.ts'
import { PlainList } from './PlainList.tsx'
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

/** What a server needs to send messages to this browser. */
interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** Why this browser gets no messages, as the texts name it. */
class NoMessagesError extends Error {
  constructor(reason: 'denied' | 'no_service', cause?: unknown) {
    super(`app.push.${reason}`, { cause })
  }
}

/** Whether this browser can get messages of this address at all. */
const canGetMessages = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function pushManager(): Promise<PushManager | undefined> {
  const registration = await registerServiceWorker()
  return registration?.pushManager
}

/** How the server names this browser; `undefined` while it gets no messages. */
async function ownFingerprint(): Promise<string | undefined> {
  if (!canGetMessages()) return undefined
  const current = await (await pushManager())?.getSubscription()
  if (!current) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(current.endpoint))
  return base64url(hash)
}

/**
 * Asks the person, and then the browser's push service. To be called by a click: browsers ask for no permission otherwise.
 * @param key the public key of the server @throws NoMessagesError
 */
async function subscribe(key: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NoMessagesError('denied')
  try {
    const manager = await pushManager()
    if (!manager) throw new TypeError('There is no service worker.')
    const made = await subscribeWith(manager, key)
    const [p256dh, auth] = [made.getKey('p256dh'), made.getKey('auth')]
    if (!p256dh || !auth) throw new TypeError('The browser has given no keys.')
    return { endpoint: made.endpoint, p256dh: base64url(p256dh), auth: base64url(auth) }
  } catch (cause) {
    throw new NoMessagesError('no_service', cause)
  }
}

/** A subscription is for one key: with that of another server at this address, as after a new installation, it is of no use. */
async function subscribeWith(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const old = await manager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return manager.subscribe(options)
  }
}

/** Ends the messages to this browser, for whoever sends them. */
async function unsubscribe(): Promise<void> {
  await (await (await pushManager())?.getSubscription())?.unsubscribe()
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
