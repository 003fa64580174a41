import type { Plugin } from 'vite'

/**
 * A vite plugin: lets the bundler leave out what nobody uses of react-router, which comes as one file. Names for
 * developer tools, and calls that are not marked as free of side effects, would keep its forms and what it has for
 * frameworks.
 */
export function shakeRouter(): Plugin {
  return {
    name: 'wheelhouse:shake-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\/production\/chunk-\w+\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/ = (React\d*\.(?:createContext|forwardRef|memo)\()/g, ' = /* @__PURE__ */ $1'),
        map: null,
      }),
    },
  }
}
