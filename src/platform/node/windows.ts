type Serve = (request: Request) => Promise<Response>;

export const sharedBy = (serve: Serve): { readonly fetch: Serve; readonly isHere: () => boolean } => ({
  fetch: serve,
  isHere: () => true,
});
