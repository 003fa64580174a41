import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { Component, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type CoreLayoutProps, useLocaleState, useLocation, useTranslate } from 'react-admin'
import { ErrorPage } from '../../components/ErrorPage.tsx'
import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { contentId, SkipLink } from '../../components/SkipLink.tsx'
import { messagesHeight, sizes } from '../../components/theme/tokens.ts'
import { useLostConnection } from '../../components/useLostConnection.ts'
import { useSetting, useSiteName } from '../../components/useSetting.ts'
import { loud, type Trouble } from '../../domain/trouble/trouble.ts'
import { SiteNameContext } from '../../engine/define/page.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { useTrouble } from '../../live/trouble.ts'
import { TroubleWatch } from '../../resources/server/trouble/useFindTrouble.tsx'
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

/** Milliseconds after which what has changed meanwhile is known: frames are there, and alarms were asked for again. */
const settleMs = 4_000
/** Milliseconds for which the line stays after that. */
const showMs = 20_000
/** What is named one by one. */
const mostNamed = 3

/**
 * The bar below the header while the connection is dead: since when; and, when it is back, one line of what has changed
 * meanwhile. It lies over what is below it, so that nothing moves. The page looks dead by `data-lost` of its root.
 */
export function ConnectionBar() {
  const { locale, translate } = useLanguage()
  const lost = useLostConnection()
  const back = useMeanwhile(lost?.since)
  const isLost = lost !== undefined
  useEffect(() => {
    document.documentElement.toggleAttribute('data-lost', isLost)
  }, [isLost])
  const text = lost
    ? translate(lost.isAway ? 'app.status.server_away' : 'app.status.live_stopped', {
        time: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(lost.since),
      })
    : back
  return <Place role="status">{text ? <Bar data-lost={isLost ? '' : undefined}>{text}</Bar> : null}</Place>
}

/** What has changed while the connection was lost, as one line, for a while after it is back. */
function useMeanwhile(lostSince: number | undefined): string | undefined {
  const { translate } = useLanguage()
  const queries = useQueryClient()
  const troubles = useTrouble((state) => state.troubles)
  const latest = useRef(troubles)
  latest.current = troubles
  const before = useRef<{ since: number; troubles: readonly Trouble[] | undefined }>(undefined)
  const [text, setText] = useState<string>()
  useEffect(() => {
    if (lostSince !== undefined) {
      before.current ??= { since: lostSince, troubles: latest.current }
      setText(undefined)
      return
    }
    const lost = before.current
    if (!lost) return
    before.current = undefined
    const seconds = (Date.now() - lost.since) / 1000
    for (const queryKey of [['alarm'], ['services']]) void queries.invalidateQueries({ queryKey })
    const timers = [
      setTimeout(() => {
        const parts = [
          translate('app.status.back', { duration: formatDuration(seconds, translate, 1) }),
          ...changesBetween(lost.troubles ?? [], latest.current ?? []).map(({ key, names }) =>
            translate(key, { names }),
          ),
        ]
        setText(parts.length > 1 ? parts.join(' ') : `${parts[0]} ${translate('app.status.back_same')}`)
      }, settleMs),
      setTimeout(() => setText(undefined), settleMs + showMs),
    ]
    return () => timers.forEach(clearTimeout)
  }, [lostSince, queries, translate])
  return text
}

/** Which trouble began and which is over, as names behind text keys. Who has other trouble now is not over it. */
function changesBetween(before: readonly Trouble[], after: readonly Trouble[]): { key: string; names: string }[] {
  const keysBefore = new Set(before.map(({ key }) => key))
  const namesAfter = new Set(after.map(({ name }) => name))
  const changes = [
    { key: 'app.status.back_began', troubles: loud(after).filter(({ key }) => !keysBefore.has(key)) },
    { key: 'app.status.back_over', troubles: loud(before).filter(({ name }) => !namesAfter.has(name)) },
  ]
  return changes.flatMap(({ key, troubles }) => {
    const names = [...new Set(troubles.map(({ name }) => name).filter(Boolean))]
    const rest = names.length - mostNamed
    const shown = [...names.slice(0, mostNamed), ...(rest > 0 ? [`+ ${rest}`] : [])]
    return names.length > 0 ? [{ key, names: shown.join(', ') }] : []
  })
}

const Place = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: sizes.header,
  zIndex: theme.zIndex.appBar,
  height: 0,
}))

const Bar = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  position: 'absolute',
  insetInline: 0,
  minHeight: 34,
  boxSizing: 'border-box',
  padding: '6px 24px',
  fontVariantNumeric: 'tabular-nums',
  overflowWrap: 'anywhere',
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.paper,
  borderBottom: `2px solid ${theme.vars.palette.primary.main}`,
  '&[data-lost]': { borderBottomColor: theme.vars.palette.warning.main },
  [theme.breakpoints.down('sm')]: { paddingInline: 16 },
}))
