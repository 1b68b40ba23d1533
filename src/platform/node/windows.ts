type Serve = (request: Request) => Promise<Response>;

/** A service of several windows: each has its own, on the same store. */
export const sharedBy = (serve: Serve): { readonly fetch: Serve; readonly isHere: () => boolean } => ({
  fetch: serve,
  isHere: () => true,
});
