import { styled } from '@mui/material/styles'
import { Component, memo, type ReactNode, Suspense, useEffect, useState } from 'react'
import { type CoreLayoutProps, useLocaleState, useLocation, useTranslate } from 'react-admin'
import { ErrorPage } from '../../components/ErrorPage.tsx'
import { formatDateTime } from '../../components/format/format.ts'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { contentId, SkipLink } from '../../components/SkipLink.tsx'
import { messagesHeight } from '../../components/theme/tokens.ts'
import { useSetting, useSiteName } from '../../components/useSetting.ts'
import { SiteNameContext } from '../../engine/define/page.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { TroubleWatch } from '../../resources/server/trouble/useFindTrouble.tsx'
import { ConnectionBar } from './header/ConnectionBar.tsx'
import { Header } from './header/Header.tsx'

/** The layout around every screen. It stays when a screen fails. */
export function Layout({ children }: CoreLayoutProps) {
  return (
    <LanguageProvider>
      <Frame>{children}</Frame>
    </LanguageProvider>
  )
}

function Frame({ children }: CoreLayoutProps) {
  const translate = useTranslate()
  const siteName = useSiteName()
  const { pathname } = useLocation()
  return (
    <SiteNameContext value={siteName}>
      <Page>
        <SkipLink onFollow={focusContent}>{translate('app.shell.skip_to_content')}</SkipLink>
        <PageHeader />
        <Content id={contentId} tabIndex={-1}>
          <ErrorBoundary resetKey={pathname}>
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          </ErrorBoundary>
        </Content>
        <PageFooter />
      </Page>
      <PageMessages />
      <TroubleWatch />
    </SiteNameContext>
  )
}

/** Memoized: typing into a search changes the path and must not render these. */
const PageHeader = memo(() => (
  <Banner>
    <Header />
    <ConnectionBar />
    <GreetingLine />
  </Banner>
))
const PageFooter = memo(Footer)
const PageMessages = memo(Messages)

const focusContent = () => document.getElementById(contentId)?.focus()

const Page = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  minHeight: '100dvh',
  boxSizing: 'border-box',
  paddingBottom: messagesHeight.value,
})

/** One landmark for both lines, without a box: the first line has to stick to the page. */
const Banner = styled('header')({ display: 'contents' })

const Content = styled('main')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  padding: '12px 24px 24px',
  '&:focus': { outline: 'none' },
  // While a page is on its way, the footer would stand in the window for a moment and then be far below.
  '&:is(:empty, :has([aria-busy=true])) + footer': { visibility: 'hidden' },
  [theme.breakpoints.down('sm')]: { padding: '12px 16px 16px' },
}))

const firstYear = 2026

/** Copyright and version: the server's if known (it tells administrators only), else the console's. */
function Footer() {
  const translate = useTranslate()
  const server = useSetting()?.version
  const year = new Date().getFullYear()
  return (
    <Line>
      <span>© {year > firstYear ? `${firstYear}–${year}` : firstYear} Wheelhouse</span>
      <span>
        {server
          ? translate('app.shell.server_version', { version: server })
          : translate('app.shell.console_version', { version: __APP_VERSION__ })}
      </span>
    </Line>
  )
}

const Line = styled('footer')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0 16px',
  padding: '16px 24px',
  color: theme.vars.palette.text.secondary,
  [theme.breakpoints.down('sm')]: { paddingInline: 16 },
}))

interface ErrorBoundaryProps {
  /** A change of the key, such as the path, resets the error. */
  resetKey: string
  children: ReactNode
}

/** Shows the error page instead of a screen that failed; React logs the error in the browser's console. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.error && resetKey !== this.props.resetKey) this.setState({ error: undefined })
  }

  override render() {
    return this.state.error ? <ErrorPage error={this.state.error} /> : this.props.children
  }
}

/** The line below the header: user name, login address and time. */
function GreetingLine() {
  const translate = useTranslate()
  const { identity } = useIdentity()
  return (
    <Greeting>
      <Who>
        {identity?.fullName && <span>{translate('app.shell.greeting', { name: identity.fullName })}</span>}
        {identity?.loginIp && <Address>{translate('app.shell.login_ip', { ip: identity.loginIp })}</Address>}
      </Who>
      <Clock />
    </Greeting>
  )
}

const Greeting = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0 16px',
  padding: '8px 24px 0',
  color: theme.vars.palette.text.secondary,
  // The time stands below on phones, where it does not fit beside in every language: it comes after the first drawing.
  [theme.breakpoints.down('sm')]: { flexDirection: 'column', padding: '8px 16px 0' },
}))

const Who = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '0 16px', minWidth: 0, minHeight: '1lh' })

const Address = styled('span')({ overflowWrap: 'anywhere' })

/** Date and time, updated every second. Only this element renders each second. */
function Clock() {
  const now = useSecond()
  const translate = useTranslate()
  const [locale] = useLocaleState()
  return (
    <Time dateTime={now?.toISOString()} title={translate('app.shell.clock')}>
      {now ? formatDateTime(now.getTime(), locale) : null}
    </Time>
  )
}

/**
 * The current second. Each timer is set to the next full second, so that the clock neither drifts nor skips. The first
 * drawing has none: a browser takes 5 ms to write its first date, for which the first list would wait.
 */
function useSecond(): Date | undefined {
  const [now, setNow] = useState<Date>()
  useEffect(() => {
    // Timers may fire a few milliseconds early; rounding avoids showing the previous second.
    const tick = () => {
      setNow(new Date(Math.round(Date.now() / 1000) * 1000))
      timer = setTimeout(tick, untilNextSecond())
    }
    let timer: ReturnType<typeof setTimeout>
    tick()
    return () => clearTimeout(timer)
  }, [])
  return now
}

/** Milliseconds; after an early timer it is not the same second again. */
function untilNextSecond(): number {
  const rest = 1000 - (Date.now() % 1000)
  return rest < 50 ? rest + 1000 : rest
}

const Time = styled('time')({
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  // As long as the shortest date, so that nothing moves when it comes.
  minWidth: '17ch',
  minHeight: '1lh',
})
