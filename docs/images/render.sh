#!/bin/sh
# Regenerates the images in this folder: run `sh docs/images/render.sh` in the root of a built clone.
set -eu

# picture <plan> <name> <height in pixels>
picture() {
  npx dpa pr-preview "$1" --html > page.html
  chromium --headless --no-sandbox --hide-scrollbars --window-size="980,$3" --screenshot="docs/images/$2.png" "file://$PWD/page.html"
  rm page.html
}

picture cli/demo/plan.json pull-request-comment 1661
picture docs/images/plans/calm.json pull-request-comment-calm 453
picture docs/images/plans/noise.json pull-request-comment-noise 288
