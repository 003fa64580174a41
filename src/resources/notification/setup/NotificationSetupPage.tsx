import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { use, useRef, useState } from 'react'
import { useBasename, useDataProvider, useLocation, useNavigate, useTranslate } from 'react-admin'
import { PageTitle, Panel } from '../../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { presets } from '../../../domain/notifierPresets/index.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/announcedFeatures.ts'
import { usePageTitle } from '../../../engine/define/pageTitle.ts'
import type { FormState } from '../../../engine/define/screen.ts'
import { SetupForm } from './SetupForm.tsx'
import { SetupResult } from './SetupResult.tsx'
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
