import { createContext, type ReactNode, use } from 'react'
import { type DataProvider, useDataProvider } from 'react-admin'

const SharedDataProviderContext = createContext<DataProvider | undefined>(undefined)

/** Gives all parts below what react-admin's `useDataProvider` returns: it signs out who is refused. */
export function SharedDataProvider({ children }: { children: ReactNode }) {
  return <SharedDataProviderContext value={useDataProvider()}>{children}</SharedDataProviderContext>
}

/**
 * The data provider. React-admin's `useDataProvider` returns the same, and draws each of its callers anew with every
 * change of the address: a list has as many callers as rows.
 * @throws outside of a `SharedDataProvider`
 */
export function useSharedDataProvider<Provider extends DataProvider = DataProvider>(): Provider {
  const dataProvider = use(SharedDataProviderContext)
  if (!dataProvider) throw new Error('useSharedDataProvider() works below <SharedDataProvider> only.')
  return dataProvider as Provider
}
