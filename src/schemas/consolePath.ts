/** The path of the console on its server, which the build and all its addresses begin with. */
export const consolePath = '/dashboard'
