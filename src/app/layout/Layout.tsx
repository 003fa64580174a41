import { styled } from '@mui/material/styles'
import { memo, Suspense } from 'react'
import { type CoreLayoutProps, useLocation, useTranslate } from 'react-admin'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { messagesHeight } from '../../components/theme/tokens.ts'
import { useSiteName } from '../../components/useSetting.ts'
import { SiteNameContext } from '../../engine/define/pageTitle.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Footer } from './Footer.tsx'
import { GreetingLine } from './header/GreetingLine.tsx'
import { Header } from './header/Header.tsx'

const contentId = 'content'

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
        <SkipLink href={`#${contentId}`} onClick={focusContent}>
          {translate('app.shell.skip_to_content')}
        </SkipLink>
        <PageHeader />
        <Content id={contentId} tabIndex={-1}>
          <ErrorBoundary resetKey={pathname}>
            <Suspense>{children}</Suspense>
          </ErrorBoundary>
        </Content>
        <PageFooter />
      </Page>
      <PageMessages />
    </SiteNameContext>
  )
}

/** Memoized: typing into a search changes the path and must not render these. */
const PageHeader = memo(() => (
  <Banner>
    <Header />
    <GreetingLine />
  </Banner>
))
const PageFooter = memo(Footer)
const PageMessages = memo(Messages)

/** Moves the focus without changing the URL: a fragment would get into links and the history. */
function focusContent(event: { preventDefault(): void }) {
  event.preventDefault()
  document.getElementById(contentId)?.focus()
}

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
  [theme.breakpoints.down('sm')]: { padding: '12px 16px 16px' },
}))

const SkipLink = styled('a')(({ theme }) => ({
  position: 'fixed',
  top: 8,
  left: 8,
  zIndex: theme.zIndex.tooltip,
  padding: '8px 16px',
  borderRadius: 6,
  color: theme.vars.palette.primary.contrastText,
  backgroundColor: theme.vars.palette.primary.main,
  '&:not(:focus)': { transform: 'translateY(-200%)' },
}))
