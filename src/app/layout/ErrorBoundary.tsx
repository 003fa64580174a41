import { Component, type ReactNode } from 'react'
import { ErrorPage } from '../../components/ErrorPage.tsx'

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
