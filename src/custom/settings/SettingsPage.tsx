import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useState } from 'react'
import { useDataProvider, useEvent, useLocales, useLocation, useTranslate } from 'react-admin'
import { useLanguageSwitch } from '../../components/LanguageProvider.tsx'
import { Loading, PageTitle } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { ScreenContext, useScreenValue } from '../../engine/define/screen.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Values } from '../../schemas/define/values.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { readSetting } from './saveSetting.ts'

const SignInProviders = lazyPart(() => import('../signIn/SignInProviders.tsx'))

/** The settings as a record for the engine's dialogs; there is no list of them. */
const settingDefinition = defineResource(siteSetting, {
  columns: [],
  rowActions: [],
  bulkActions: [],
})

/** Nothing leads to them but the page. */
const settingAddress = { entity: siteSetting, path: 'settings' }

/** The settings of the whole site, for administrators. */
export default function SettingsPage() {
  const translate = useTranslate()
  const title = translate('app.site.title')
  usePageTitle(title)
  const screen = useScreenValue(settingAddress, settingDefinition)
  const section = use(SectionContext)
  const isSignIn = new URLSearchParams(useLocation().search).get('section') === 'sign_in'
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['site settings'],
    queryFn: () => readSetting(call),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  const { switched, follow, back, dismiss } = useSiteLanguage()
  // The form starts with the current settings and is not updated until they are saved: everything is fetched again when
  // somebody comes back to the tab, for a secret from another one perhaps.
  const [opened, setOpened] = useState<{ setting: Setting; at: number }>()
  /** When those were fetched that have been saved over. */
  const [replacedAt, setReplacedAt] = useState<number>()
  if (data && (!opened || (replacedAt !== undefined && dataUpdatedAt !== replacedAt))) {
    setOpened({ setting: data, at: dataUpdatedAt })
    setReplacedAt(undefined)
  }

  const afterSave = useEvent((changes: Values) => {
    setReplacedAt(dataUpdatedAt)
    void refetch()
    if (typeof changes.language === 'string') void follow(changes.language)
  })
  return (
    <ScreenContext value={screen}>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="settings" />
      <div style={{ maxWidth: 1200 }}>
        {switched ? <LanguageSwitchedAlert {...switched} onBack={back} onClose={dismiss} /> : null}
        {data?.wheelhouse?.warnings?.includes('unheard_proxy') ? (
          <Alert severity="warning" sx={{ marginBottom: 2 }}>
            {translate('app.site.unheard_proxy')}
          </Alert>
        ) : null}
        {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <Loading /> : null}
        {opened ? (
          <SettingsForm key={opened.at} setting={opened.setting} onSaved={afterSave}>
            {/* Other servers read their providers from a file. */}
            {isSignIn && opened.setting.wheelhouse?.settings_in_use ? (
              <Suspense>
                <SignInProviders />
              </Suspense>
            ) : null}
          </SettingsForm>
        ) : null}
      </div>
    </ScreenContext>
  )
}

/** Switches the interface to a changed site language, if it has that language, and back. */
function useSiteLanguage() {
  const languages = useLocales()
  const [current, changeLanguage] = useLanguageSwitch()
  const [switched, setSwitched] = useState<{ from: string; to: string }>()
  return {
    switched,
    follow: async (to: string) => {
      if (to === current || !languages.some(({ locale }) => locale === to)) return
      await changeLanguage(to)
      setSwitched({ from: current, to })
    },
    back: () => {
      if (switched) void changeLanguage(switched.from)
      setSwitched(undefined)
    },
    dismiss: () => setSwitched(undefined),
  }
}

interface LanguageSwitchedAlertProps {
  /** The previous language of the interface. */
  from: string
  to: string
  onBack: () => void
  onClose: () => void
}

/** Says that the interface now uses the site's language, with a button to switch back. */
function LanguageSwitchedAlert({ from, to, onBack, onClose }: LanguageSwitchedAlertProps) {
  const translate = useTranslate()
  const languages = useLocales()
  const nameOf = (code: string) => languages.find(({ locale }) => locale === code)?.name ?? code
  return (
    <Alert
      severity="info"
      sx={{ marginBottom: 2 }}
      // It is above a long form, and the Save button is at its end.
      ref={(alert: HTMLElement | null) => alert?.scrollIntoView?.({ block: 'center' })}
      action={
        <>
          <Button color="inherit" onClick={onBack}>
            {translate('app.site.speak_again', { language: nameOf(from) })}
          </Button>
          <Button color="inherit" onClick={onClose}>
            {translate('app.toast.dismiss')}
          </Button>
        </>
      }
    >
      {translate('app.site.language_switched', { language: nameOf(to) })}
    </Alert>
  )
}
