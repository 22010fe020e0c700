/** Side-effect imports that the bundler extracts into the page's stylesheet. */
declare module "*.css";
