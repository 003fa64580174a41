// Stands in for react-admin's default router, which the console never uses: docs/decisions/router.md.
export const reactRouterProvider = undefined
