import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { use, useEffect, useRef, useState } from 'react'
import { LinkBase, useBasename, useDataProvider, useLocation, useNavigate, useTranslate } from 'react-admin'
import { EventList, PageTitle, Panel } from '../../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { presets } from '../../../domain/notifierPresets/index.ts'
import { AnnouncedFeaturesContext, usePageTitle } from '../../../engine/define/page.tsx'
import type { FormState } from '../../../engine/define/screen.ts'
import { RetryAlert, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { useSendTest } from '../notifierDialogs.tsx'
import { SetupForm } from './SetupForm.tsx'
import { type MadeRecord, makeSetup, type SetupPlan } from './setupPlan.ts'

/** Of the technical form, in the address. */
const custom = 'custom'

/**
 * From no notifier to "it told me": a messenger, what it asks for, and a test message; then notifier, group and rules are
 * made together. `?service=<id>` is the messenger.
 */
export default function NotificationSetupPage() {
  const translate = useTranslate()
  const basename = useBasename()
  const provider = useDataProvider<ConsoleDataProvider>()
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const chosen = new URLSearchParams(search).get('service') ?? ''
  const preset = presets.find(({ id }) => id === chosen)
  const [plan, setPlan] = useState<SetupPlan>()
  const [made, setMade] = useState<readonly MadeRecord[]>([])
  const [error, setError] = useState<Error>()
  const title = translate('app.notification_setup.title')
  usePageTitle(title)

  const all = useRef<readonly MadeRecord[]>([])
  async function make(next: SetupPlan) {
    try {
      await makeSetup(provider, next, all.current, (record) => {
        all.current = [...all.current, record]
      })
      setError(undefined)
    } catch (failure) {
      // Without a notifier nothing was made, and the form says why.
      if (all.current.length === 0) throw failure
      setError(failure as Error)
    }
    setMade(all.current)
    setPlan(next)
  }

  const choose = (service: string) => navigate(`${pathname}?service=${service}`, { state })
  const { openedFrom } = (state ?? {}) as FormState
  return (
    <div style={{ maxWidth: 960 }}>
      <PageTitle>{title}</PageTitle>
      {plan ? (
        <SetupResult
          made={made}
          error={error}
          onRetry={() => make(plan)}
          next={openedFrom ?? `${basename}/notification`}
        />
      ) : preset || chosen === custom ? (
        <SetupForm key={chosen} preset={preset} onSubmit={make} onBack={() => navigate(pathname, { state })} />
      ) : (
        <Messengers onChoose={choose} />
      )}
    </div>
  )
}

function Messengers({ onChoose }: { onChoose: (service: string) => void }) {
  const translate = useTranslate()
  const announced = use(AnnouncedFeaturesContext)
  const offered = presets.filter((preset) => !preset.announced || announced?.has(preset.announced))
  return (
    <Panel title={translate('app.notifier_dialogs.which_service')} hint={translate('app.notification_setup.hint')}>
      <Tiles>
        {offered.map(({ id, name }) => (
          <Button key={id} variant="outlined" color="inherit" onClick={() => onChoose(id)}>
            {name}
          </Button>
        ))}
        <Button variant="outlined" color="inherit" onClick={() => onChoose(custom)}>
          {translate('app.notification_setup.custom')}
        </Button>
      </Tiles>
    </Panel>
  )
}

const Tiles = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
  '& > button': { minHeight: 56 },
}))

interface SetupResultProps {
  made: readonly MadeRecord[]
  /** Why not everything could be made. */
  error?: Error
  onRetry: () => Promise<void>
  /** Where people go from here. */
  next: string
}

/** What was made, each with the button that takes it back; and the test message again. */
function SetupResult({ made, error, onRetry, next }: SetupResultProps) {
  const translate = useTranslate()
  const basename = useBasename()
  const [undone, setUndone] = useState<ReadonlySet<MadeRecord>>(new Set())
  const [isRetrying, setRetrying] = useState(false)
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const notifier = made.find((one) => one.entity === 'notification' && !undone.has(one))

  async function retry() {
    setRetrying(true)
    await onRetry()
    setRetrying(false)
  }

  return (
    <div ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      <Alert severity="success" role="status" sx={{ marginBottom: 2 }}>
        {translate('app.notifier_dialogs.sent')}
      </Alert>
      {error ? (
        <RetryAlert onRetry={retry} isRetrying={isRetrying} sx={{ marginBottom: 2 }}>
          {translate('app.notification_setup.incomplete')} {translate(error.message || 'app.toast.unexpected')}
        </RetryAlert>
      ) : null}
      <Panel title={translate('app.notification_setup.made')}>
        <EventList>
          {made.map((record) => (
            <MadeEntry
              key={`${record.entity} ${record.id}`}
              record={record}
              isUndone={undone.has(record)}
              onUndone={() => setUndone((before) => new Set([...before, record]))}
            />
          ))}
        </EventList>
      </Panel>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        <Button component={LinkBase} to={next} variant="contained">
          {translate('app.notification_setup.finish')}
        </Button>
        {notifier ? (
          <>
            <TestAgain notifier={notifier} />
            <Button component={LinkBase} to={`${basename}/notification/${notifier.id}`}>
              {translate('app.notification_setup.change')}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  )
}

interface MadeEntryProps {
  record: MadeRecord
  isUndone: boolean
  onUndone: () => void
}

function MadeEntry({ record: { entity, id, name, isNew, undo }, isUndone, onUndone }: MadeEntryProps) {
  const translate = useTranslate()
  const basename = useBasename()
  const { showError } = useToast()
  const [isUndoing, setUndoing] = useState(false)

  async function takeBack() {
    setUndoing(true)
    try {
      await undo()
      onUndone()
    } catch (error) {
      showError(error)
    }
    setUndoing(false)
  }

  return (
    <li style={{ alignItems: 'center' }}>
      <div>
        <span>{translate(`resources.${entity}.name`, { smart_count: 1 })}</span>
        {isUndone ? (
          <s>{name}</s>
        ) : (
          <LinkBase to={`${basename}/${entity}/${id}`}>
            <strong>{name}</strong>
          </LinkBase>
        )}
        {isNew ? null : <span>{translate('app.notification_setup.changed')}</span>}
      </div>
      {isUndone ? (
        <span role="status">{translate('app.notification_setup.undone')}</span>
      ) : (
        <Button
          size="small"
          loading={isUndoing}
          aria-label={`${translate('app.action.undo')}: ${name}`}
          onClick={() => void takeBack()}
        >
          {translate('app.action.undo')}
        </Button>
      )}
    </li>
  )
}

/** Sends the test message once more, and says what became of it. */
function TestAgain({ notifier: { id, name } }: { notifier: MadeRecord }) {
  const translate = useTranslate()
  const send = useSendTest()
  const { show, showError } = useToast()
  const [isSending, setSending] = useState(false)

  async function sendAgain() {
    setSending(true)
    try {
      const { sent, code, reply } = await send({ id, name })
      if (sent) show({ key: 'app.notifier_dialogs.sent' })
      else showError(new Error([translate('app.notifier_dialogs.failed'), code || '', reply].filter(Boolean).join(' ')))
    } catch (error) {
      showError(error)
    }
    setSending(false)
  }

  return (
    <Button loading={isSending} onClick={() => void sendAgain()}>
      {translate('app.notifier_dialogs.again')}
    </Button>
  )
}
